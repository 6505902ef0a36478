package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// The file of a record.
//
//	 0   4  magic                48   8  revision: counter
//	 4   1  version              56   8  revision: incarnation
//	 5   1  'R'                  64  32  salt of this file
//	 6   1  algorithm            96  12  nonce
//	 7   1  flags, zero         108   N  ciphertext
//	 8   4  zero              108+N  16  tag
//	12   4  N
//	16  16  key id
//	32  16  vault id
//
// The key is made of the salt, and used for this file alone. The tag covers bytes
// 0 to 95 and the name of the file too.
const (
	recordFlags       = 7
	recordN           = 12
	recordKID         = 16
	recordVault       = 32
	recordCounter     = 48
	recordIncarnation = 56
	recordSalt        = 64
	recordNonce       = 96
	recordFixed       = 124 // all but the ciphertext
)

// A Record is what a file holds. Counter and Incarnation stand in it in plain; they
// are covered by the tag.
type Record struct {
	ID                 ID
	Counter            uint64
	Incarnation        [8]byte
	SavedAt, ExpiresAt time.Time
	Label              string
	Meta               map[string]string
	Value              []byte
}

// NewIncarnation returns a random one, for a record that is made anew.
func NewIncarnation() (i [8]byte) {
	rand.Read(i[:])
	return i
}

// Seal returns the file of a record; it is never the same twice. The value is not
// kept. ErrNotWritable: the value or what stands beside it is too large, or the ID
// or a text is no plain text.
func (k *Keys) Seal(r Record) (file []byte, err error) {
	err = k.use(func(s *subkeys) error {
		text, err := r.plaintext()
		if err != nil {
			return err
		}
		defer wipe(text)
		head := k.recordHead(r, len(text))
		aead := s.aead(head[recordSalt:])
		file = aead.Seal(head, nil, text, associated(head, s.nameOf(r.ID)))
		return nil
	})
	return file, err
}

// recordHead returns bytes 0 to 95, with room behind them for the rest.
func (k *Keys) recordHead(r Record, n int) []byte {
	head := appendStart(make([]byte, 0, recordFixed+n), kindRecord)
	head = append(head, 0, 0, 0, 0, 0)
	head = binary.BigEndian.AppendUint32(head, uint32(n))
	head = append(head, k.kid[:]...)
	head = append(head, k.vault[:]...)
	head = binary.BigEndian.AppendUint64(head, r.Counter)
	head = append(head, r.Incarnation[:]...)
	head = head[:recordNonce]
	rand.Read(head[recordSalt:])
	return head
}

// Open returns the record of a file that has this name. The value is the caller's.
//
// ErrDamaged says in its detail whether the file is foreign, of a newer format, or
// corrupt, as one with another file's name is. ErrKey: it was sealed with another
// key.
func (k *Keys) Open(name Name, file []byte) (r Record, err error) {
	err = k.use(func(s *subkeys) error {
		if err := k.checkHead(file); err != nil {
			return err
		}
		head := file[:recordNonce]
		text, err := s.aead(head[recordSalt:]).Open(nil, nil, file[recordNonce:], associated(head, name))
		if err != nil {
			return damaged(fault.Corrupt)
		}
		defer wipe(text)
		if r, err = parsePlaintext(text); err != nil {
			return err
		}
		if s.nameOf(r.ID) != name {
			wipe(r.Value)
			return damaged(fault.Corrupt)
		}
		r.Counter = binary.BigEndian.Uint64(head[recordCounter:])
		r.Incarnation = [8]byte(head[recordIncarnation:])
		return nil
	})
	if err != nil {
		return Record{}, err
	}
	return r, nil
}

// checkHead checks what stands in plain, in the order that gives the right error:
// what it is, whether it is whole, whose it is, and the key before anything that
// only the key can tell. The rest is for the tag.
func (k *Keys) checkHead(file []byte) error {
	if err := checkStart(file, kindRecord); err != nil {
		return err
	}
	if file[recordFlags] != 0 {
		return damaged(fault.Unsupported)
	}
	if len(file) < recordFixed || uint64(len(file)) != recordFixed+uint64(binary.BigEndian.Uint32(file[recordN:])) {
		return damaged(fault.Corrupt)
	}
	if VaultID(file[recordVault:]) != k.vault {
		return damaged(fault.Foreign)
	}
	if kid := KID(file[recordKID:]); kid != k.kid {
		return fault.New(fault.ErrKey, fault.WrongKey(k.kid.String(), kid.String()), nil)
	}
	return nil
}

// aead returns the cipher of the one file that has this salt. It makes the nonce
// itself and writes it first: the only kind that is allowed in FIPS mode.
func (s *subkeys) aead(salt []byte) cipher.AEAD {
	prk := must(hkdf.Extract(sha256.New, s.seal, salt))
	defer wipe(prk)
	key := expand(prk, "gcm")
	defer wipe(key)
	return must(cipher.NewGCMWithRandomNonce(must(aes.NewCipher(key))))
}

// associated is what the tag covers beside the plaintext.
func associated(head []byte, name Name) []byte {
	return append(append(make([]byte, 0, recordNonce+len(name)), head...), name[:]...)
}
