package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/keychain"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// The operations in whose multiples the others are given.
const (
	readBase  = "Get, 4 KiB"
	writeBase = "Put, 4 KiB, synced"
)

var (
	small = tokenvault.ID{Service: "bench", Account: "small", Key: "https://one.example/mcp"}
	large = tokenvault.ID{Service: "bench", Account: "large", Key: "https://one.example/mcp"}
)

// A rig is a vault with two records.
type rig struct {
	base   string
	config tokenvault.Config
	vault  *tokenvault.Vault
	values map[tokenvault.ID]tokenvault.Secret
}

func newRig(ctx context.Context, dir string) (*rig, error) {
	base, err := os.MkdirTemp(dir, "tokenvault-bench-")
	if err != nil {
		return nil, err
	}
	if base, err = filepath.Abs(base); err != nil {
		return nil, err
	}
	r := &rig{base: base, values: map[tokenvault.ID]tokenvault.Secret{
		small: tokenvault.NewSecret(bytes.Repeat([]byte("x"), 3<<10)), large: tokenvault.NewSecret(bytes.Repeat([]byte("x"), 15<<10)),
	}}
	key := make([]byte, seal.KeyBytes)
	rand.Read(key)
	text := tokenvault.NewSecret(hex.AppendEncode(nil, key))
	r.config = tokenvault.Config{Mode: tokenvault.File, Dir: filepath.Join(base, "vault"), Key: tokenvault.KeyFromHex(text)}
	if r.vault, err = tokenvault.Open(ctx, r.config); err != nil {
		return nil, errors.Join(err, os.RemoveAll(base))
	}
	for _, id := range []tokenvault.ID{small, large} {
		if err := r.put(ctx, id); err != nil {
			r.close()
			return nil, err
		}
	}
	return r, nil
}

func (r *rig) close() {
	r.vault.Close()
	os.RemoveAll(r.base)
}

func (r *rig) operations() []*operation {
	return []*operation{
		{name: readBase, do: func(ctx context.Context) error { return r.get(ctx, small) }},
		{name: "Get, 16 KiB", do: func(ctx context.Context) error { return r.get(ctx, large) }},
		{name: "Refresh of a record that another has renewed", do: r.adopt},
		{name: writeBase, do: func(ctx context.Context) error { return r.put(ctx, small) }},
		{name: "Put, 16 KiB, synced", do: func(ctx context.Context) error { return r.put(ctx, large) }},
		{name: "a plain file, 4 KiB: write and rename, not synced", do: r.writePlain},
		{name: "a plain file, 4 KiB: read", do: r.readPlain},
		{name: "Refresh, 4 KiB, without a network", do: r.refresh},
		{name: "Open and Close", do: r.reopen},
	}
}

func (r *rig) get(ctx context.Context, id tokenvault.ID) error {
	_, err := r.vault.Get(ctx, id)
	return err
}

func (r *rig) put(ctx context.Context, id tokenvault.ID) error {
	_, err := r.vault.Put(ctx, id, r.values[id], tokenvault.PutOptions{})
	return err
}

func (r *rig) refresh(ctx context.Context) error {
	e, err := r.vault.Get(ctx, small)
	if err != nil {
		return err
	}
	_, adopted, err := r.vault.Refresh(ctx, small, e.Rev, r.renewed)
	if adopted {
		return errors.New("somebody else is at work in this directory")
	}
	return err
}

// adopt asks with a revision that is none.
func (r *rig) adopt(ctx context.Context) error {
	_, adopted, err := r.vault.Refresh(ctx, small, tokenvault.Revision{}, r.renewed)
	if err == nil && !adopted {
		return errors.New("a revision that is none was refreshed")
	}
	return err
}

func (r *rig) renewed(context.Context, tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
	return r.values[small], time.Now().Add(time.Hour), nil
}

func (r *rig) reopen(ctx context.Context) error {
	v, err := tokenvault.Open(ctx, r.config)
	if err != nil {
		return err
	}
	return v.Close()
}

func (r *rig) plain() string { return filepath.Join(r.base, "plain") }

func (r *rig) writePlain(context.Context) error {
	if err := os.WriteFile(r.plain()+"-new", make([]byte, 4<<10), 0o600); err != nil {
		return err
	}
	return os.Rename(r.plain()+"-new", r.plain())
}

func (r *rig) readPlain(context.Context) error {
	_, err := os.ReadFile(r.plain())
	return err
}

// keychainCalls are those that Open makes, once for each start of a program.
func keychainCalls() (calls []*operation, remove func()) {
	const service = "tokenvault/bench"
	w := keychain.New(keychain.Options{Timeout: 5 * time.Second, Start: 5 * time.Second, PromptTimeout: 30 * time.Second})
	vault, key := seal.NewVaultID(), make([]byte, seal.KeyBytes)
	rand.Read(key)
	account, item := seal.Account(vault), seal.FormatItem(vault, key)
	calls = []*operation{
		{name: "keychain: write the key and read it back", do: func(ctx context.Context) error { return w.Set(ctx, service, account, item) }},
		{name: "keychain: read the key", do: func(ctx context.Context) error {
			_, err := w.Get(ctx, service, account)
			return err
		}},
	}
	return calls, func() {
		_ = w.Delete(context.Background(), service, account)
		w.Close()
	}
}
