package app

import (
	"context"
	"io"
	"strings"
	"testing"
)

// endWhileWaiting runs a session whose editor is gone once there is a URL to sign in at. It
// returns what was answered until then.
func endWhileWaiting(t *testing.T, env, args []string) (answers, stderr string) {
	t.Helper()
	in, toBridge := io.Pipe()
	var out strings.Builder
	errs := &shownLines{shown: make(chan struct{})}
	done := make(chan error, 1)
	go func() { done <- Run(context.Background(), args, env, in, &out, errs) }()
	io.WriteString(toBridge, initialize+"\n")
	select {
	case <-errs.shown:
	case err := <-done:
		t.Fatalf("Run = %v before anybody was asked\n%s", err, errs.text.String())
	}
	toBridge.Close()
	if err := <-done; err != nil {
		t.Errorf("Run = %v", err)
	}
	return out.String(), errs.text.String()
}

// shownLines are lines of stderr, of which one says where to sign in.
type shownLines struct {
	text  strings.Builder
	shown chan struct{} // closed at the line behind that one
	seen  bool
}

func (s *shownLines) Write(line []byte) (int, error) {
	if s.seen && strings.Contains(string(line), "waiting up to") {
		close(s.shown)
	}
	s.seen = s.seen || strings.Contains(string(line), "sign in at")
	return s.text.Write(line)
}
