// Package tokenvault keeps the tokens of a user between the runs of a program.
//
// A record is sealed in a file of its own; the key is in the keychain of the
// system, or comes from the caller. A refresh runs once for all the processes that
// share the record: under a lock, on the newest revision, with the disk space
// reserved before the refresh token is spent.
package tokenvault

import (
	"context"
	"time"
)

// An ID says whose record it is. The vault does not look into the parts: it only
// takes care that no two IDs meet. Each is at most 2048 bytes of UTF-8 without NUL.
type ID struct{ Service, Account, Key string }

// An Entry is a record with its secret.
type Entry struct {
	ID        ID
	Rev       Revision
	SavedAt   time.Time
	ExpiresAt time.Time // zero: not known
	Label     string    // for people
	Meta      map[string]string
	Value     Secret
}

// An Info is a record without its secret.
type Info struct {
	ID        ID
	Rev       Revision
	SavedAt   time.Time
	ExpiresAt time.Time
	Label     string
	Meta      map[string]string
	Err       error // why the file cannot be read; then the rest is zero
}

// PutOptions are what Put stores beside the value, and when it does.
type PutOptions struct {
	When      Cond
	ExpiresAt time.Time
	Label     string
	Meta      map[string]string
}

// A RefreshFunc spends the refresh token of e and returns the new value. It is
// called at most once for each call of Refresh, in a goroutine of its own, and goes
// on when the caller has left. The context has the time limit of the refresh alone;
// what does not return then keeps the lock of the record, and Close waiting.
//
// It must not call the vault: with its context that is ErrBusy, and with Close it
// would wait for itself.
//
// An error leaves the record as it was. ErrKeep, or one that wraps it, says that
// the token was surely not spent.
type RefreshFunc func(ctx context.Context, e Entry) (value Secret, expires time.Time, err error)

// A Store keeps records. Vault is the one of this package; vaulttest tells whether
// another keeps the contract. All methods may be called at the same time.
type Store interface {
	// Get returns the record, or ErrNotFound.
	Get(ctx context.Context, id ID) (Entry, error)

	// Put writes the record if the condition holds, and returns its revision.
	// Where it does not hold, the error is ErrConflict and an *Error has the
	// revision that is there.
	Put(ctx context.Context, id ID, value Secret, o PutOptions) (Revision, error)

	// Delete removes the record if the condition holds. One that is not there is
	// ErrNotFound.
	Delete(ctx context.Context, id ID, when Cond) error

	// Refresh calls fn once for all callers, in all processes, that have seen this
	// revision, and stores what it returns. The ones that come later get the record
	// of the one that was first, and true.
	Refresh(ctx context.Context, id ID, seen Revision, fn RefreshFunc) (e Entry, adopted bool, err error)

	// List returns all records, in no order. A file that cannot be read is an Info
	// with an Err.
	List(ctx context.Context) ([]Info, error)

	// Status says what the store is and holds.
	Status() Status

	// Close waits for the refreshes that run, and wipes the key.
	Close() error
}
