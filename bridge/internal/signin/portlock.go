package signin

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockPort waits until no other process that locks the file signs in, or look says that there
// is no need to any more. It calls look now and then while it waits. Where there are no
// locks, there is nobody to wait for, and the port itself decides. The error is that of the
// context.
func lockPort(ctx context.Context, file string, look func() (over bool)) (release func(), err error) {
	release = func() {}
	if file == "" || os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return release, nil
	}
	l := flock.New(file, flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDWR))
	for {
		switch locked, err := l.TryLock(); {
		case locked:
			return func() { l.Close() }, nil // the file stays, or others would lock another one
		case err != nil, look():
			l.Close()
			return release, nil
		}
		select {
		case <-time.After(lockPoll):
		case <-ctx.Done():
			l.Close()
			return release, ctx.Err()
		}
	}
}
