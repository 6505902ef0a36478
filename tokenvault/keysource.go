package tokenvault

import (
	"crypto/rand"
	"encoding/hex"

	"github.com/trestle-mcp/trestle/tokenvault/internal/dir"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// A KeySource is where the key of a File vault comes from. The zero value is none.
type KeySource struct {
	path string
	text Secret
}

// KeyFromFile reads the key from a file of 64 hex digits, with one line end behind
// them or none: a plain file of the user that nobody else can read, outside the
// directory of the vault. GenerateKeyFile makes one.
func KeyFromFile(path string) KeySource { return KeySource{path: path} }

// KeyFromHex takes the key from 64 hex digits.
func KeyFromHex(text Secret) KeySource { return KeySource{text: text} }

// GenerateKeyFile writes a new random key into a file of its own, which only the
// user can read. A file that is there is left alone: fs.ErrExist.
func GenerateKeyFile(path string) error {
	key := make([]byte, seal.KeyBytes)
	defer clear(key)
	rand.Read(key)
	text := append(hex.AppendEncode(nil, key), '\n')
	defer clear(text)
	return failure("generate", File, dir.CreateKey(path, text))
}

// IsZero reports whether there is no source.
func (k KeySource) IsZero() bool { return k.path == "" && k.text.IsZero() }

// open returns the key of a vault. Without a source there is none: nothing can be
// read then, but everything be deleted.
func (k KeySource) open(notInside string) (rootKey, error) {
	if k.IsZero() {
		return noKey{}, nil
	}
	root, err := k.read(notInside)
	defer clear(root)
	return callerKey{NewSecret(root)}, err
}

// read reads the key. A file inside the directory of the vault is refused: a copy
// of the directory would be a copy of the key.
func (k KeySource) read(notInside string) (root []byte, err error) {
	if k.path == "" {
		err := k.text.Use(func(text []byte) error {
			root, err = seal.ParseKeyText(text)
			return err
		})
		return root, err
	}
	text, err := dir.ReadKey(k.path, notInside)
	if err != nil {
		return nil, err
	}
	defer clear(text)
	return seal.ParseKeyText(text)
}
