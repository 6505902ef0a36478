package mcpwire

import (
	"fmt"
	"log/slog"
)

// A secret is bytes that must not turn up in a log or an error: requestState, which
// may hold credentials of the server (T127). Every way to print one gives a constant.
type secret []byte

const redacted = "[redacted]"

func (secret) String() string               { return redacted }
func (secret) GoString() string             { return redacted }
func (secret) Format(f fmt.State, _ rune)   { _, _ = f.Write([]byte(redacted)) }
func (secret) LogValue() slog.Value         { return slog.StringValue(redacted) }
func (secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }
