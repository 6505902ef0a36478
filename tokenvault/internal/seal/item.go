package seal

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// The item of a keychain: "tvk1.", the root key, ".", a check of 8 bytes; both in
// base64url. It is printable, so that no keychain encodes it once more. The check
// belongs to key and vault: it finds an item of another vault or program, and one
// that is cut off or has other output around it.
const (
	itemPrefix  = "tvk1."
	itemKeyLen  = 43
	itemLen     = len(itemPrefix) + itemKeyLen + 1 + 11
	accountHead = "vault-key/1/"
)

var itemBase64 = base64.RawURLEncoding.Strict()

// Account returns the name of the item in the keychain.
func Account(v VaultID) string { return accountHead + hex.EncodeToString(v[:]) }

// FormatItem returns the text of the item. It is as secret as the key.
func FormatItem(v VaultID, key []byte) []byte {
	item := make([]byte, 0, itemLen)
	item = itemBase64.AppendEncode(append(item, itemPrefix...), key)
	return itemBase64.AppendEncode(append(item, '.'), itemCheck(v, key))
}

// ParseItem returns the root key, which is the caller's to wipe. The error is
// ErrKey, and holds nothing of the item.
func ParseItem(v VaultID, item []byte) ([]byte, error) {
	refused := fault.New(fault.ErrKey, fault.NotOurItem, nil)
	text, ok := bytes.CutPrefix(item, []byte(itemPrefix))
	if len(item) != itemLen || !ok {
		return nil, refused
	}
	key := make([]byte, itemBase64.DecodedLen(itemKeyLen))
	n, err := itemBase64.Decode(key, text[:itemKeyLen])
	if err == nil && n == KeyBytes {
		want := FormatItem(v, key)
		defer wipe(want)
		if subtle.ConstantTimeCompare(item, want) == 1 {
			return key, nil
		}
	}
	wipe(key)
	return nil, refused
}

func itemCheck(v VaultID, key []byte) []byte {
	h := sha256.New()
	h.Write([]byte(infoPrefix + "keycheck"))
	h.Write(v[:])
	h.Write(key)
	return h.Sum(nil)[:8]
}
