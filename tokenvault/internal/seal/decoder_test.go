package seal_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
)

// A second reader of the format, made from its tables and from plain cryptography.
// It shares nothing with the package.

func mac(key []byte, parts ...[]byte) []byte {
	m := hmac.New(sha256.New, key)
	for _, p := range parts {
		m.Write(p)
	}
	return m.Sum(nil)
}

// expandBy is the first block of HKDF-Expand (RFC 5869): 32 bytes.
func expandBy(prk []byte, info string) []byte { return mac(prk, []byte(info), []byte{1}) }

type decoded struct {
	About struct {
		Service, Account, Key, Label string
		Saved                        string `json:"saved_at"`
		Expires                      string `json:"expires_at"`
		Meta                         map[string]string
	}
	Counter                     uint64
	Incarnation, Value, Padding string
}

func decodeHeader(b, root []byte) (prk []byte, err error) {
	prk = mac(b[32:64], root)
	start := []byte{'T', 'V', 'L', 'T', 1, 'H', 1, b[7], 0, 0, 0, 0, 0, 0, 0, 0}
	end := append(expandBy(prk, "tokenvault/1/kid")[:16], mac(expandBy(prk, "tokenvault/1/header"), b[:80])...)
	if len(b) != 112 || !bytes.Equal(b[:16], start) || !bytes.Equal(b[64:], end) {
		return nil, errors.New("no header of this key")
	}
	return prk, nil
}

func decodeRecord(header, prk []byte, file string, b []byte) (d decoded, err error) {
	n := binary.BigEndian.Uint32(b[12:])
	start := []byte{'T', 'V', 'L', 'T', 1, 'R', 1, 0, 0, 0, 0, 0}
	if !bytes.Equal(b[:12], start) || len(b) != 124+int(n) || !bytes.Equal(b[16:32], header[64:80]) || !bytes.Equal(b[32:48], header[16:32]) {
		return d, errors.New("another start, length, key or vault")
	}
	name, err := base32.StdEncoding.DecodeString(strings.ToUpper(strings.TrimPrefix(file, "r-")) + "======")
	if err != nil {
		return d, err
	}
	block, err := aes.NewCipher(expandBy(mac(b[64:96], expandBy(prk, "tokenvault/1/seal")), "tokenvault/1/gcm"))
	if err != nil {
		return d, err
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block) // reads nonce, ciphertext, tag
	if err != nil {
		return d, err
	}
	text, err := gcm.Open(nil, nil, b[96:], append(bytes.Clone(b[:96]), name...))
	if err != nil {
		return d, err
	}
	about, rest := text[4:4+binary.BigEndian.Uint32(text)], text[4+binary.BigEndian.Uint32(text):]
	value, rest := rest[4:4+binary.BigEndian.Uint32(rest)], rest[4+binary.BigEndian.Uint32(rest):]
	if err := json.Unmarshal(about, &d.About); err != nil {
		return d, err
	}
	d.Counter, d.Incarnation = binary.BigEndian.Uint64(b[48:]), string(b[56:64])
	d.Value, d.Padding = string(value), strings.Trim(string(rest), "\x00")
	var id []byte
	for _, part := range []string{d.About.Service, d.About.Account, d.About.Key} {
		id = append(append(id, byte(len(part)>>8), byte(len(part))), part...)
	}
	if !bytes.Equal(name, mac(expandBy(prk, "tokenvault/1/name"), id)[:16]) {
		return d, errors.New("the name of another record")
	}
	return d, nil
}

func decodeItem(vault []byte, item string) (root []byte, err error) {
	parts := strings.Split(item, ".")
	root, err = base64.RawURLEncoding.DecodeString(parts[1])
	check := sha256.Sum256(append(append([]byte("tokenvault/1/keycheck"), vault...), root...))
	if err == nil && (parts[0] != "tvk1" || len(parts) != 3 || parts[2] != base64.RawURLEncoding.EncodeToString(check[:8])) {
		err = errors.New("another kind, or another check")
	}
	return root, err
}
