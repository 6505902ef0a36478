package oauthloopback

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// A sealed value is held by a closure, in which nothing that prints, logs,
// encodes or dumps a value can look: fmt does not call methods on unexported
// fields, and a dumper follows every pointer, but neither enters a function.
//
// Types that hold a secret embed it, and so have its methods.
type sealed[T any] struct {
	open  func() T // nil in a zero value
	shown string   // what is printed instead
}

func seal[T any](value T, shown string) sealed[T] {
	return sealed[T]{func() T { return value }, shown}
}

// value returns the zero value of T for a zero value.
func (s sealed[T]) value() T {
	if s.open == nil {
		var zero T
		return zero
	}
	return s.open()
}

// String returns a text without the secret.
func (s sealed[T]) String() string { return or(s.shown, "[none]") }

// Format writes the text of String, whatever the verb.
func (s sealed[T]) Format(f fmt.State, _ rune) { io.WriteString(f, s.String()) }

// LogValue returns the text of String.
func (s sealed[T]) LogValue() slog.Value { return slog.StringValue(s.String()) }

// errSealed is why a value is not encoded. A placeholder would be stored one day,
// and read back as if it were the value.
var errSealed = errors.New("oauthloopback: a secret is not encoded")

// MarshalJSON fails.
func (sealed[T]) MarshalJSON() ([]byte, error) { return nil, errSealed }

// MarshalText fails.
func (sealed[T]) MarshalText() ([]byte, error) { return nil, errSealed }

// MarshalBinary fails, and with it gob.
func (sealed[T]) MarshalBinary() ([]byte, error) { return nil, errSealed }

// A Secret is a text that cannot be printed, logged, encoded or dumped.
type Secret struct{ sealed[string] }

// NewSecret returns a Secret that holds text.
func NewSecret(text string) Secret { return Secret{seal(text, "[secret]")} }

// Expose returns the text.
func (s Secret) Expose() string { return s.value() }
