package lock

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"github.com/gofrs/flock"

	"github.com/trestle-mcp/trestle/tokenvault/internal/dir"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// A locker asks once for the kernel's lock on a file. A nil function without an
// error says that somebody else has it.
type locker interface {
	try(name string, exclusive bool) (release func(), err error)
}

// Who waits asks again after pauses that grow from the first to the longest. Each
// is up to half shorter, so that those who wait do not ask in step.
const (
	firstPause   = 5 * time.Millisecond
	longestPause = 100 * time.Millisecond
)

// take asks for the kernel's lock until the context ends.
func take(ctx context.Context, k locker, name string, exclusive bool) (func(), error) {
	pause := firstPause
	for {
		release, err := k.try(name, exclusive)
		if err != nil || release != nil {
			return release, err
		}
		wait := time.NewTimer(pause - rand.N(pause/2))
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return nil, ended(ctx)
		}
		pause = min(2*pause, longestPause)
	}
}

// kernel is the locker of the system.
type kernel struct{ dir *dir.Dir }

// try looks at the lock file before it opens it by its path, and after it has the
// lock makes sure that the file is the one in the directory that is held.
func (k kernel) try(name string, exclusive bool) (func(), error) {
	if _, err := k.look(name); err != nil {
		return nil, err
	}
	f, ok, err := k.ask(name, exclusive, os.O_RDWR)
	if isReadOnly(err) { // nobody writes there, and what is there can still be read
		f, ok, err = k.ask(name, exclusive, os.O_RDONLY)
	}
	if err != nil {
		return nil, lockError(err)
	}
	if !ok {
		return nil, nil
	}
	if same, err := k.same(f, name); !same {
		_ = f.Unlock()
		return nil, err
	}
	if exclusive {
		k.sign(name)
	}
	return func() { _ = f.Unlock() }, nil
}

// ask opens the lock file and asks for the lock.
func (k kernel) ask(name string, exclusive bool, access int) (*flock.Flock, bool, error) {
	f := flock.New(k.dir.Path(name), flock.SetFlag(access|openFlags), flock.SetPermissions(0o600))
	if exclusive {
		ok, err := f.TryLock()
		return f, ok, err
	}
	ok, err := f.TryRLock()
	return f, ok, err
}

// look is Plain, and makes the file again if somebody has removed it.
func (k kernel) look(name string) (fs.FileInfo, error) {
	info, err := k.dir.Plain(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	if err := k.dir.Touch(name); err != nil {
		return nil, err
	}
	return k.dir.Plain(name)
}

// same reports whether the locked file is the one that is in the directory now. If
// somebody has put another there since, the next try finds that one; if it is the
// path that leads elsewhere, that is an error.
func (k kernel) same(f *flock.Flock, name string) (bool, error) {
	locked, err := f.Stat()
	if err != nil {
		return false, lockError(err)
	}
	there, err := k.dir.Plain(name)
	switch {
	case err == nil && os.SameFile(locked, there):
		return true, nil
	case k.dir.Moved():
		return false, fault.New(fault.ErrDamaged, fault.Moved, nil)
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	}
	return false, err
}

// started tells this process from another one that gets its number later.
var started = time.Now()

// signBytes is the length of what sign writes, so that a shorter one hides nothing of
// the one before.
const signBytes = 64

// sign writes into the lock file who has it, for people only: nobody reads it here,
// and it stays when the lock is given back. Its first byte is left alone, because Windows locks it.
func (k kernel) sign(name string) {
	text := " pid " + strconv.Itoa(os.Getpid()) + ", started " + started.UTC().Format(time.RFC3339)
	line := make([]byte, signBytes)
	for i := range line {
		line[i] = ' '
	}
	copy(line, text)
	line[signBytes-1] = '\n'
	k.dir.Note(name, line)
}

// lockError says what it means that a lock file could not be opened or locked.
func lockError(err error) error {
	switch {
	case isNoLocks(err):
		return fault.New(fault.ErrUnavailable, fault.NoLocks, dir.Cause(err))
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.ErrDamaged, fault.Moved, dir.Cause(err))
	case isLink(err):
		return fault.New(fault.ErrDamaged, fault.Insecure, dir.Cause(err))
	case errors.Is(err, fs.ErrPermission), isReadOnly(err):
		return fault.New(fault.ErrNotWritable, fault.ReadOnly, dir.Cause(err))
	}
	return fault.New(fault.ErrUnavailable, fault.IOFailed, dir.Cause(err))
}
