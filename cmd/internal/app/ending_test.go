package app

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
)

// A session that a signal ends does not wait for those who do not read its log.
//
// req: P02 P19
func TestEndingThatNobodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(context.Background())
		read := make(chan struct{})
		defer close(read)
		stop := sayEnding(ctx, slog.New(slog.NewTextHandler(unread(read), nil)))
		cancel(errSignal)
		stop()
	})
}

// unread is a pipe that is full until it is read.
type unread chan struct{}

func (u unread) Write(b []byte) (int, error) {
	<-u
	return len(b), nil
}
