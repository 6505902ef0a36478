package seal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// MaxIDPart is how long a part of an ID may be, in bytes.
const MaxIDPart = 2048

// An ID says whose record it is.
type ID struct{ Service, Account, Key string }

// Check returns an error that is ErrNotWritable for an ID that no record has: a part
// is too long, is not UTF-8, or has a NUL.
func (id ID) Check() error {
	for _, part := range id.parts() {
		if len(part) > MaxIDPart || !plain(part) {
			return fault.New(fault.ErrNotWritable, fault.BadID, nil)
		}
	}
	return nil
}

func (id ID) parts() [3]string { return [3]string{id.Service, id.Account, id.Key} }

func plain(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// encode writes each part behind its length, so that no two IDs become the same
// bytes.
func (id ID) encode() []byte {
	var b []byte
	for _, part := range id.parts() {
		b = binary.BigEndian.AppendUint16(b, uint16(len(part)))
		b = append(b, part...)
	}
	return b
}

// A Name is what the file of a record is called. Without the key nobody can tell
// which ID it belongs to.
type Name [16]byte

// Name returns the name of a record. An ID that Check refuses, and wiped keys, give
// the zero Name, which no record has.
func (k *Keys) Name(id ID) (n Name) {
	k.use(func(s *subkeys) error {
		n = s.nameOf(id)
		return nil
	})
	return n
}

func (s *subkeys) nameOf(id ID) Name {
	if id.Check() != nil {
		return Name{}
	}
	return Name(sign(s.name, id.encode()))
}

func sign(key, text []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write(text)
	return m.Sum(nil)
}

// filePrefix begins the file names of records. What follows is in lower case, for
// file systems that do not know one case from the other.
const filePrefix = "r-"

var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// File returns the name of the file: "r-" and 26 characters.
func (n Name) File() string { return filePrefix + base32Lower.EncodeToString(n[:]) }

// ParseName reports whether the file is called like one of a record, and which.
func ParseName(file string) (Name, bool) {
	text, ok := strings.CutPrefix(file, filePrefix)
	if !ok || len(text) != base32Lower.EncodedLen(len(Name{})) {
		return Name{}, false
	}
	b, err := base32Lower.DecodeString(text)
	if err != nil || len(b) != len(Name{}) {
		return Name{}, false
	}
	n := Name(b)
	return n, n.File() == file // the last character has bits to spare
}

// Stripe returns which of the 64 locks is the record's.
func (n Name) Stripe() int { return int(n[0] & 0x3f) }
