// Package lock holds the locks of a vault: between the goroutines of this process,
// and between processes by locks of the kernel on files in the vault's directory.
//
// A lock of the kernel is free when its process is gone, and not before: a holder
// that was stopped still holds it, and nobody takes it away. So there is no
// lock that is too old.
package lock

import (
	"context"
	"errors"
	"fmt"

	"github.com/trestle-mcp/trestle/tokenvault/internal/dir"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// Stripes is how many locks the records share.
const Stripes = 64

const (
	vaultFile = "l-vault"
	keyFile   = "l-key"
)

func stripeFile(n int) string { return fmt.Sprintf("l-%02x", n) }

// Is reports whether a file of that name is one of the locks.
func Is(name string) bool {
	_, ok := files()[name]
	return ok
}

// files are the names of all lock files.
func files() map[string]struct{} {
	all := map[string]struct{}{vaultFile: {}, keyFile: {}}
	for n := range Stripes {
		all[stripeFile(n)] = struct{}{}
	}
	return all
}

// Locks are the locks of one directory. Its methods may be called at the same time.
//
// All of them wait until the context ends: with ErrBusy if its time is over, with
// its own error if it was cancelled. Where the file system has no locks the error is
// ErrUnavailable; where the directory or a lock file was replaced it is ErrDamaged. What they
// return gives the lock back; a second call of it does nothing.
type Locks struct {
	vault, key *gate
	stripes    [Stripes]*gate
}

// New makes the lock files that are missing.
func New(d *dir.Dir) (*Locks, error) {
	if err := makeFiles(d); err != nil {
		return nil, err
	}
	return newLocks(kernel{d}), nil
}

func newLocks(k locker) *Locks {
	l := &Locks{vault: newGate(k, vaultFile), key: newGate(k, keyFile)}
	for n := range l.stripes {
		l.stripes[n] = newGate(k, stripeFile(n))
	}
	return l
}

func makeFiles(d *dir.Dir) error {
	names, err := d.Names()
	if err != nil {
		return err
	}
	missing := files()
	for _, name := range names {
		delete(missing, name)
	}
	for name := range missing {
		if err := d.Touch(name); err != nil {
			return err
		}
	}
	return nil
}

// Vault takes the lock of the whole vault: shared for work on records, alone for
// what makes or changes the header.
func (l *Locks) Vault(ctx context.Context, exclusive bool) (release func(), err error) {
	if exclusive {
		return l.vault.alone(ctx)
	}
	return l.vault.shared(ctx)
}

// Stripe takes the lock of the records of one stripe, 0 to 63. Nobody holds two.
func (l *Locks) Stripe(ctx context.Context, n int) (release func(), err error) {
	return l.stripes[n].alone(ctx)
}

// Key takes the lock that lets one process at a time ask a keychain for the key.
func (l *Locks) Key(ctx context.Context) (release func(), err error) {
	return l.key.alone(ctx)
}

// ended says why the waiting is over.
func ended(ctx context.Context) error {
	err := ctx.Err()
	if errors.Is(err, context.DeadlineExceeded) {
		return fault.New(fault.ErrBusy, "", err)
	}
	return err
}
