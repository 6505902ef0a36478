package seal

import (
	"crypto/hkdf"
	"crypto/sha256"
	"runtime"
	"sync"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// infoPrefix begins the info of every key that is derived.
const infoPrefix = "tokenvault/1/"

// Keys are the keys of one vault, made from its root key. All methods may be called
// at the same time.
type Keys struct {
	vault VaultID
	kid   KID

	mu sync.RWMutex // held for writing by Wipe

	// held returns the secret part. It is a function, since printers and dumpers
	// follow pointers, but do not look into functions.
	held func() *subkeys
}

type subkeys struct {
	name, seal []byte
	wiped      bool
}

// deriveKeys makes the keys of a vault, and the one that signs its header. The
// latter is for the caller to wipe.
func deriveKeys(h Header, root []byte) (keys *Keys, headerKey []byte) {
	prk := must(hkdf.Extract(sha256.New, root, h.Salt[:]))
	defer wipe(prk)
	kid := expand(prk, "kid")
	defer wipe(kid)
	sub := &subkeys{name: expand(prk, "name"), seal: expand(prk, "seal")}
	keys = &Keys{vault: h.Vault, kid: KID(kid[:16]), held: func() *subkeys { return sub }}
	return keys, expand(prk, "header")
}

// Vault returns the id of the vault.
func (k *Keys) Vault() VaultID { return k.vault }

// KID returns the id of the key.
func (k *Keys) KID() KID { return k.kid }

// Wipe waits for the calls that use the keys and overwrites them. What is called
// later is ErrClosed. A nil Keys has nothing to wipe.
func (k *Keys) Wipe() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.held()
	wipe(s.name)
	wipe(s.seal)
	s.wiped = true
}

// use calls f with the keys, unless they are wiped.
func (k *Keys) use(f func(s *subkeys) error) error {
	k.mu.RLock()
	defer k.mu.RUnlock()
	s := k.held()
	if s.wiped {
		return fault.New(fault.ErrClosed, "", nil)
	}
	return f(s)
}

func expand(prk []byte, info string) []byte {
	return must(hkdf.Expand(sha256.New, prk, infoPrefix+info, KeyBytes))
}

// must is for calls that fail only for lengths that do not occur here.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func wipe(b []byte) {
	clear(b)
	runtime.KeepAlive(b)
}
