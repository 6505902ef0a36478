package signin

import (
	"context"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockPort waits until no other process that locks the file signs in. Where there are no
// locks, there is nobody to wait for, and the port itself decides. It calls waits if there
// is a wait. The error is that of the context.
func lockPort(ctx context.Context, file string, waits func()) (release func(), err error) {
	release = func() {}
	if file == "" || os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return release, nil
	}
	l := flock.New(file, flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDWR))
	locked, err := l.TryLock()
	if err == nil && !locked {
		waits()
		locked, err = l.TryLockContext(ctx, lockPoll)
	}
	if err != nil || !locked {
		l.Close()
		return release, ctx.Err()
	}
	return func() { l.Close() }, nil // the file stays, or others would lock another one
}
