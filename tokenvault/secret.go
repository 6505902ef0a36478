package tokenvault

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// redacted is what every way to print a Secret writes.
const redacted = "[redacted]"

// errSealed is why a Secret is not encoded. A placeholder would be stored one day,
// and read back as if it were the secret.
var errSealed = errors.New("tokenvault: a secret is not encoded")

// A Secret is bytes that cannot be printed, logged, encoded or dumped.
//
// A closure holds them: fmt does not call methods on unexported fields, and a
// dumper follows every pointer, but neither looks into a function. The copies of a
// Secret share their bytes. The zero Secret is empty.
type Secret struct{ bytes func() []byte }

// NewSecret returns a Secret that holds a copy of b.
func NewSecret(b []byte) Secret {
	held := append([]byte(nil), b...)
	return Secret{func() []byte { return held }}
}

func (s Secret) held() []byte {
	if s.bytes == nil {
		return nil
	}
	return s.bytes()
}

// Use calls f with the bytes and returns what f returns. They are valid until f
// returns, and not to be changed.
func (s Secret) Use(f func(b []byte) error) error { return f(s.held()) }

// Expose returns the bytes as a string, which nothing can wipe. Use keeps no copy.
func (s Secret) Expose() string { return string(s.held()) }

// Len returns the number of bytes.
func (s Secret) Len() int { return len(s.held()) }

// IsZero reports whether there are no bytes.
func (s Secret) IsZero() bool { return s.Len() == 0 }

// Equal reports whether both hold the same bytes, in a time that depends on their
// lengths alone.
func (s Secret) Equal(other Secret) bool {
	return subtle.ConstantTimeCompare(s.held(), other.held()) == 1
}

// Destroy overwrites the bytes with zeros, in every copy of s. Len stays.
func (s Secret) Destroy() { clear(s.held()) }

// String returns "[redacted]".
func (s Secret) String() string { return redacted }

// GoString returns "[redacted]".
func (s Secret) GoString() string { return redacted }

// Format writes "[redacted]", whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, redacted) }

// LogValue returns "[redacted]".
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalJSON fails.
func (s Secret) MarshalJSON() ([]byte, error) { return nil, errSealed }

// MarshalText fails.
func (s Secret) MarshalText() ([]byte, error) { return nil, errSealed }

// MarshalBinary fails.
func (s Secret) MarshalBinary() ([]byte, error) { return nil, errSealed }

// GobEncode fails.
func (s Secret) GobEncode() ([]byte, error) { return nil, errSealed }
