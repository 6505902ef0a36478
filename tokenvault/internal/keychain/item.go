package keychain

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// Get returns the item: fault.ErrNotFound, ErrLocked, ErrUnavailable, ErrTimeout or
// ErrClosed, or the error of a context that ended first. The caller wipes the value.
func (w *Worker) Get(ctx context.Context, service, account string) ([]byte, error) {
	value, _, err := w.do(ctx, func() ([]byte, error) { return w.get(service, account) })
	return value, err
}

// Set writes the item and reads it back. Where something else comes back, the error
// is fault.ErrUnavailable; the others are those of Get. An error of the context
// leaves open whether the item was written.
func (w *Worker) Set(ctx context.Context, service, account string, value []byte) error {
	// The caller may wipe the value while a call that was left behind still reads it.
	kept := bytes.Clone(value)
	_, ran, err := w.do(ctx, func() ([]byte, error) {
		defer clear(kept)
		return nil, w.set(service, account, kept)
	})
	if !ran {
		clear(kept)
	}
	return err
}

// Delete removes the item and looks whether it is gone: if not, the error is
// fault.ErrUnavailable; the others are those of Get. One that is not there is no
// error.
func (w *Worker) Delete(ctx context.Context, service, account string) error {
	_, _, err := w.do(ctx, func() ([]byte, error) { return nil, w.remove(service, account) })
	return err
}

func (w *Worker) get(service, account string) (value []byte, err error) {
	err = w.touch(service, account, func(ctx context.Context) (err error) {
		value, err = w.o.Backend.Get(ctx, service, account)
		return err
	})
	if err == nil {
		err = w.answer() // it was late
	}
	if err != nil {
		clear(value)
		return nil, err
	}
	return value, nil
}

// A keychain whose dialog was dismissed can say that it has written.
func (w *Worker) set(service, account string, value []byte) error {
	err := w.touch(service, account, func(ctx context.Context) error {
		return w.o.Backend.Set(ctx, service, account, value)
	})
	if err != nil {
		return w.unexpected(err)
	}
	got, err := w.get(service, account)
	defer clear(got)
	if err != nil {
		return w.unexpected(err)
	}
	if subtle.ConstantTimeCompare(got, value) != 1 {
		return w.end(fault.New(fault.ErrUnavailable, fault.NotKept, nil))
	}
	return nil
}

// And it can say that it has deleted.
func (w *Worker) remove(service, account string) error {
	err := w.touch(service, account, func(ctx context.Context) error {
		return w.o.Backend.Delete(ctx, service, account)
	})
	if err == nil {
		var left []byte
		left, err = w.get(service, account)
		clear(left)
		if err == nil {
			return w.end(fault.New(fault.ErrUnavailable, fault.NotDeleted, nil))
		}
	}
	if errors.Is(err, fault.ErrNotFound) {
		return nil
	}
	return err
}

// unexpected is "not found" where something was written.
func (w *Worker) unexpected(err error) error {
	if errors.Is(err, fault.ErrNotFound) {
		return w.end(fault.New(fault.ErrUnavailable, fault.NotKept, nil))
	}
	return err
}

// touch looks before it calls, where the backend can look.
func (w *Worker) touch(service, account string, call func(context.Context) error) error {
	if l, ok := w.o.Backend.(looker); ok {
		err := w.within(w.o.lookLimit(), func(ctx context.Context) error { return l.look(ctx, service, account) })
		if err != nil {
			return err
		}
	}
	return w.within(w.o.callLimit(), call)
}
