// Package fault holds what can go wrong in a vault: the sentinels on which a
// caller decides, and the fixed texts that say more.
package fault

import "errors"

// The sentinels. Package tokenvault exports them under the same names.
var (
	ErrNotFound     = errors.New("no such record")
	ErrConflict     = errors.New("another revision is there")
	ErrBusy         = errors.New("the lock was not free in time")
	ErrLocked       = errors.New("the keychain is locked")
	ErrUnavailable  = errors.New("the store is not available")
	ErrTimeout      = errors.New("the keychain did not answer in time")
	ErrKey          = errors.New("the key does not fit")
	ErrDamaged      = errors.New("a file of the vault is not usable")
	ErrNotWritable  = errors.New("the vault cannot be written")
	ErrNotPersisted = errors.New("the record is not on disk")
	ErrClosed       = errors.New("the vault is closed")
)

// An Error is one of the sentinels with a fixed text of this package, and what
// the system said, if it did.
//
// The text of Error never holds what Cause says: a system's words can hold a path,
// and a keychain's the secret itself.
type Error struct {
	Sentinel error
	Detail   Detail
	Cause    error
}

// New returns an error of a kind. The cause may be nil.
func New(sentinel error, detail Detail, cause error) *Error {
	return &Error{sentinel, detail, cause}
}

// Error returns the text of the sentinel, and the detail behind it.
func (e *Error) Error() string {
	if e.Detail == "" {
		return e.Sentinel.Error()
	}
	return e.Sentinel.Error() + ": " + string(e.Detail)
}

// Is reports whether target is the sentinel.
func (e *Error) Is(target error) bool { return target == e.Sentinel }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }
