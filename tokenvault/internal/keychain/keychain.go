// Package keychain calls the keychain of the system, or one of the caller, so that
// it can neither hang nor crash the process.
//
// One goroutine makes all calls, one at a time, each within a limit. What is
// written is read back. After the first call that finds the keychain locked, silent
// or broken there is no other: whoever comes later hears the same, at once.
package keychain

import (
	"context"
	"time"
)

// A Backend is a keychain. Get of an item that is not there returns an error that
// is fault.ErrNotFound, and so may Delete. An error that is fault.ErrLocked or
// fault.ErrTimeout means what it says; every other one is fault.ErrUnavailable.
type Backend interface {
	Get(ctx context.Context, service, account string) ([]byte, error)
	Set(ctx context.Context, service, account string, value []byte) error
	Delete(ctx context.Context, service, account string) error
}

// A looker is a Backend that finds out, without touching an item and without a
// dialog, whether it is any use to call it.
type looker interface {
	look(ctx context.Context, service, account string) error
}

// Options say which keychain, and how long it may take. The limits have no
// defaults here.
type Options struct {
	Backend Backend // nil: System(Prompt)
	Prompt  bool    // the keychain may show a dialog

	Timeout       time.Duration // of a call that shows no dialog
	Start         time.Duration // of the look, where it may start the keychain: with Prompt
	PromptTimeout time.Duration // of a call that may show a dialog: with Prompt
}

// lookLimit is how long a look may take.
func (o Options) lookLimit() time.Duration {
	if o.Prompt {
		return o.Start
	}
	return o.Timeout
}

// callLimit is how long a call may take. A keychain that has answered a look is
// alive: what takes long after that is a dialog.
func (o Options) callLimit() time.Duration {
	if o.Prompt {
		return o.PromptTimeout
	}
	return o.Timeout
}
