package tokenvault

import (
	"errors"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// The errors on which a caller decides, for errors.Is.
var (
	ErrNotFound     = fault.ErrNotFound     // no such record
	ErrConflict     = fault.ErrConflict     // another revision is there
	ErrBusy         = fault.ErrBusy         // the lock was not free in time, or a RefreshFunc called the vault
	ErrLocked       = fault.ErrLocked       // the keychain is locked, or its dialog was dismissed
	ErrUnavailable  = fault.ErrUnavailable  // no keychain, or no file locks, or the keychain did not keep what it was given
	ErrTimeout      = fault.ErrTimeout      // the keychain or its dialog took too long
	ErrKey          = fault.ErrKey          // the key is missing, wrong, malformed, or readable by others
	ErrDamaged      = fault.ErrDamaged      // a file or the directory is corrupt, foreign, too new, rolled back, or open to others
	ErrNotWritable  = fault.ErrNotWritable  // the disk is full or read-only, or the value is too large
	ErrNotPersisted = fault.ErrNotPersisted // the new record is returned, but is not (surely) on disk
	ErrClosed       = fault.ErrClosed       // Close was called
)

// ErrKeep is for a RefreshFunc: the refresh token was surely not spent.
var ErrKeep = errors.New("the refresh token was not spent")

// An Error is every error of a Store, but for those of the caller's context and of
// its RefreshFunc. Its text is made of fixed words: it holds no token, no URL, no
// account, and no word of a keychain.
type Error struct {
	Op      string   // "get", "put", "delete", "refresh", "list", "close", "open", "reset", "generate"
	Store   Mode     // which store
	Err     error    // one of the sentinels
	Detail  string   // one of few fixed texts, or empty
	Current Revision // of ErrConflict: the revision that is there
	cause   error
}

// Error returns the operation, the store, the sentinel and the detail.
func (e *Error) Error() string {
	text := "tokenvault: " + e.Op + " (" + e.Store.String() + "): " + e.Err.Error()
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// Unwrap returns the sentinel and, if a system call failed, its error.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.cause}
}

// fail makes the error of an operation. The errors of a context stay what they are.
func (v *Vault) fail(op string, err error) error { return failure(op, v.kind, err) }

func failure(op string, kind Mode, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		e.Op, e.Store = op, kind
		return e
	}
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return &Error{Op: op, Store: kind, Err: e.Sentinel, Detail: string(e.Detail), cause: e.Cause}
	}
	return err
}
