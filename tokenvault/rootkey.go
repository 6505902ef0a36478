package tokenvault

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/keychain"
	"github.com/trestle-mcp/trestle/tokenvault/internal/lock"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// A rootKey is the key from which those of a vault come.
type rootKey interface {
	// open returns the keys of the vault with this header.
	open(ctx context.Context, header []byte) (*seal.Keys, error)

	// create returns the header and the keys of a new vault; no header where there
	// is no key to make it with.
	create(ctx context.Context) (header []byte, keys *seal.Keys, err error)

	// forget makes the records of a vault unreadable for ever, as far as the key can.
	forget(ctx context.Context, header []byte) error

	close()
}

// A callerKey is given by the caller, who alone can throw it away.
type callerKey struct{ root Secret }

func (k callerKey) open(_ context.Context, header []byte) (keys *seal.Keys, err error) {
	h, err := parseHeader(header, seal.FromCaller)
	if err != nil {
		return nil, err
	}
	err = k.root.Use(func(root []byte) error {
		keys, err = h.Open(header, root)
		return err
	})
	return keys, err
}

func (k callerKey) create(context.Context) (header []byte, keys *seal.Keys, err error) {
	err = k.root.Use(func(root []byte) error {
		_, keys, header = seal.Create(seal.FromCaller, root)
		return nil
	})
	return header, keys, err
}

func (callerKey) forget(context.Context, []byte) error { return nil }

func (k callerKey) close() { k.root.Destroy() }

// noKey is that of a File vault whose key is lost.
type noKey struct{}

func (noKey) open(context.Context, []byte) (*seal.Keys, error) {
	return nil, fault.New(fault.ErrKey, fault.NoKey, nil)
}

func (noKey) create(context.Context) ([]byte, *seal.Keys, error) { return nil, nil, nil }
func (noKey) forget(context.Context, []byte) error               { return nil }
func (noKey) close()                                             {}

// A keychainKey is made by the vault and kept in the keychain: one item for each
// vault, written once. One process at a time is at the keychain, so that a person
// sees one dialog.
type keychainKey struct {
	worker  *keychain.Worker
	locks   *lock.Locks
	wait    time.Duration // for the other processes
	service string
}

func (k keychainKey) open(ctx context.Context, header []byte) (*seal.Keys, error) {
	h, err := parseHeader(header, seal.FromKeychain)
	if err != nil {
		return nil, err
	}
	var item []byte
	err = k.alone(ctx, func() error {
		item, err = k.worker.Get(ctx, k.service, seal.Account(h.Vault))
		return err
	})
	if errors.Is(err, fault.ErrNotFound) {
		return nil, fault.New(fault.ErrKey, fault.Missing, nil)
	}
	if err != nil {
		return nil, err
	}
	defer clear(item)
	root, err := seal.ParseItem(h.Vault, item)
	if err != nil {
		return nil, err
	}
	defer clear(root)
	return h.Open(header, root)
}

func (k keychainKey) create(ctx context.Context) ([]byte, *seal.Keys, error) {
	root := make([]byte, seal.KeyBytes)
	defer clear(root)
	rand.Read(root)
	_, keys, header := seal.Create(seal.FromKeychain, root)
	item := seal.FormatItem(keys.Vault(), root)
	defer clear(item)
	err := k.alone(ctx, func() error { return k.worker.Set(ctx, k.service, seal.Account(keys.Vault()), item) })
	if err != nil {
		keys.Wipe()
		return nil, nil, err
	}
	return header, keys, nil
}

// forget takes the item away. With a header that cannot be read, nothing tells which.
func (k keychainKey) forget(ctx context.Context, header []byte) error {
	h, err := seal.ParseHeader(header)
	if err != nil {
		return nil
	}
	return k.alone(ctx, func() error { return k.worker.Delete(ctx, k.service, seal.Account(h.Vault)) })
}

func (k keychainKey) close() { k.worker.Close() }

func (k keychainKey) alone(ctx context.Context, f func() error) error {
	ctx, cancel := context.WithTimeout(ctx, k.wait)
	defer cancel()
	release, err := k.locks.Key(ctx)
	if err != nil {
		return err
	}
	defer release()
	return f()
}

func parseHeader(header []byte, want seal.Source) (seal.Header, error) {
	h, err := seal.ParseHeader(header)
	if err == nil && h.Source != want {
		err = fault.New(fault.ErrKey, fault.OtherKey, nil)
	}
	return h, err
}
