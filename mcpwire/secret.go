package mcpwire

import (
	"errors"
	"fmt"
	"log/slog"
)

// A secret holds bytes that must not turn up in a log or an error: requestState, which
// may hold credentials of the server (T127). They are behind a function, since a method
// that prints a constant is not asked where the secret is an unexported field. The zero
// secret is absent.
type secret struct{ f func() []byte }

func newSecret(b []byte) secret { return secret{func() []byte { return b }} }

func (s secret) isZero() bool { return s.f == nil }

// appendTo appends the bytes.
func (s secret) appendTo(b []byte) []byte { return append(b, s.f()...) }

const redacted = "[redacted]"

var errSecret = errors.New("mcpwire: a secret is not encoded")

func (secret) Format(f fmt.State, _ rune)   { _, _ = f.Write([]byte(redacted)) }
func (secret) LogValue() slog.Value         { return slog.StringValue(redacted) }
func (secret) MarshalText() ([]byte, error) { return nil, errSecret }
