package app

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/trestle-mcp/trestle/bridge"
)

// A secret is bytes that cannot be printed. They are behind a function, where nothing
// that follows pointers and fields can find them: package fmt calls no method of a
// value in an unexported field.
type secret struct{ value func() []byte }

func newSecret(b []byte) secret {
	b = bytes.Clone(b)
	return secret{func() []byte { return b }}
}

// forBridge returns the secret as the bridge takes it. The zero secret is empty there.
func (s secret) forBridge() bridge.Secret {
	if s.value == nil {
		return bridge.Secret{}
	}
	return bridge.NewSecret(string(s.value()))
}

const redacted = "[redacted]"

var errSecret = errors.New("a secret is not written")

func (secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }
func (secret) LogValue() slog.Value       { return slog.StringValue(redacted) }

// MarshalText refuses, for JSON too: a placeholder would be stored one day.
func (secret) MarshalText() ([]byte, error)   { return nil, errSecret }
func (secret) MarshalBinary() ([]byte, error) { return nil, errSecret }
