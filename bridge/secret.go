package bridge

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// A Secret is a text that cannot be printed, logged or encoded: it is behind a function,
// where nothing that follows fields and pointers finds it. The zero Secret is empty.
type Secret struct{ text func() string }

// NewSecret returns a Secret that holds text.
func NewSecret(text string) Secret { return Secret{func() string { return text }} }

// Expose returns the text.
func (s Secret) Expose() string {
	if s.text == nil {
		return ""
	}
	return s.text()
}

const redacted = "[redacted]"

var errSecret = errors.New("bridge: a secret is not encoded")

// Format writes a constant, whatever the verb.
func (Secret) Format(f fmt.State, _ rune) { io.WriteString(f, redacted) }

// LogValue returns a constant.
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText fails, and with it encodings such as JSON: a placeholder would be stored
// one day.
func (Secret) MarshalText() ([]byte, error) { return nil, errSecret }

// MarshalBinary fails, and with it gob.
func (Secret) MarshalBinary() ([]byte, error) { return nil, errSecret }
