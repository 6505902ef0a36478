package seal

import (
	"bytes"
	"encoding/hex"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// MaxKeyText is the length of the longest text of a key, with its newline, in bytes.
const MaxKeyText = 2*KeyBytes + 2

// FormatKeyText returns 64 hex digits and a newline. They are as secret as the key.
func FormatKeyText(key []byte) []byte { return append(hex.AppendEncode(nil, key), '\n') }

// ParseKeyText returns the key that is written as 64 hex digits, with at most one
// newline behind them. A key all of whose bytes are equal is nobody's choice but a
// placeholder's. The error is ErrKey, and holds nothing of the text.
func ParseKeyText(text []byte) ([]byte, error) {
	digits, ok := bytes.CutSuffix(text, []byte("\n"))
	if ok {
		digits = bytes.TrimSuffix(digits, []byte("\r"))
	}
	key := make([]byte, KeyBytes)
	if len(digits) != hex.EncodedLen(KeyBytes) {
		return nil, fault.New(fault.ErrKey, fault.KeyFormat, nil)
	}
	if _, err := hex.Decode(key, digits); err != nil || bytes.Count(key, key[:1]) == KeyBytes {
		wipe(key)
		return nil, fault.New(fault.ErrKey, fault.KeyFormat, nil)
	}
	return key, nil
}
