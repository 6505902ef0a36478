//go:build linux || darwin || windows

package keychain

import (
	"context"
	"errors"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/zalando/go-keyring"
)

// System returns the keychain of the system. With prompt it may show a dialog, and
// be started for the purpose.
func System(prompt bool) Backend { return system{prompt} }

// system is go-keyring. Nothing breaks off a call of it, so a Worker stands before
// it; and its errors have words of the keychain in them, so they end here.
type system struct{ prompt bool }

// turn is held while go-keyring runs. A call that never returns keeps it: so it is
// one call that hangs in the process, however many vaults were opened.
var turn = make(chan struct{}, 1)

// Get returns the secret of an item.
func (s system) Get(ctx context.Context, service, account string) (value []byte, err error) {
	err = s.call(ctx, func() error {
		text, err := keyring.Get(service, account)
		value = []byte(text)
		return err
	})
	return value, err
}

// Set writes an item, over the one that is there.
func (s system) Set(ctx context.Context, service, account string, value []byte) error {
	return s.call(ctx, func() error { return keyring.Set(service, account, string(value)) })
}

// Delete removes an item.
func (s system) Delete(ctx context.Context, service, account string) error {
	return s.call(ctx, func() error { return keyring.Delete(service, account) })
}

func (s system) call(ctx context.Context, call func() error) error {
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	defer leaveEnvironment()()
	err := call()
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keyring.ErrNotFound):
		return fault.ErrNotFound
	case locked(err):
		return fault.ErrLocked
	}
	return fault.New(fault.ErrUnavailable, fault.KeychainBroke, nil)
}
