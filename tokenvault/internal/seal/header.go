package seal

import (
	"crypto/hmac"
	"crypto/rand"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// The header of a vault.
//
//	 0   4  magic            32  32  salt
//	 4   1  version          64  16  key id
//	 5   1  'H'              80  32  HMAC-SHA-256 of bytes 0 to 79
//	 6   1  algorithm
//	 7   1  source of the key
//	 8   8  zero
//	16  16  vault id
const (
	headerSource = 7
	headerZero   = 8
	headerVault  = 16
	headerSalt   = 32
	headerKID    = 64
	headerMAC    = 80
	headerLen    = 112
)

// A Header is what a vault says about itself, in plain. Nobody vouches for it until
// Open did.
type Header struct {
	Source Source
	Vault  VaultID
	Salt   [32]byte
	KID    KID
}

// Create makes a vault with a new id and a new salt: its header, its keys, and the
// header's file. The root key is KeyBytes long.
func Create(source Source, root []byte) (Header, *Keys, []byte) {
	return CreateAs(NewVaultID(), source, root)
}

// CreateAs is Create for a vault whose id had to be known before: the keychain's
// item has it.
func CreateAs(id VaultID, source Source, root []byte) (Header, *Keys, []byte) {
	h := Header{Source: source, Vault: id}
	rand.Read(h.Salt[:])
	keys, headerKey := deriveKeys(h, root)
	defer wipe(headerKey)
	h.KID = keys.kid
	file := h.appendSigned(make([]byte, 0, headerLen))
	return h, keys, append(file, sign(headerKey, file)...)
}

// NewVaultID returns a random one.
func NewVaultID() (id VaultID) {
	rand.Read(id[:])
	return id
}

// appendSigned appends the part that the HMAC covers.
func (h Header) appendSigned(to []byte) []byte {
	to = append(appendStart(to, kindHeader), byte(h.Source))
	to = append(to, make([]byte, headerVault-headerZero)...)
	to = append(to, h.Vault[:]...)
	to = append(to, h.Salt[:]...)
	return append(to, h.KID[:]...)
}

// ParseHeader reads what can be read without the key. The errors are ErrDamaged.
func ParseHeader(file []byte) (Header, error) {
	if err := checkStart(file, kindHeader); err != nil {
		return Header{}, err
	}
	source := Source(file[headerSource])
	if len(file) != headerLen || source != FromKeychain && source != FromCaller {
		return Header{}, damaged(fault.Corrupt)
	}
	return Header{
		Source: source,
		Vault:  VaultID(file[headerVault:]),
		Salt:   [32]byte(file[headerSalt:]),
		KID:    KID(file[headerKID:]),
	}, nil
}

// Open makes the keys of the vault from the root key, and checks the whole header.
// ErrKey: it is another key, or the salt or the key id was changed, which nobody can
// tell apart. ErrDamaged: the key is right, and the file is not.
func (h Header) Open(file, root []byte) (*Keys, error) {
	if len(root) != KeyBytes {
		return nil, fault.New(fault.ErrKey, fault.KeyFormat, nil)
	}
	keys, headerKey := deriveKeys(h, root)
	defer wipe(headerKey)
	if keys.kid != h.KID {
		keys.Wipe()
		return nil, fault.New(fault.ErrKey, fault.WrongKey(keys.kid.String(), h.KID.String()), nil)
	}
	signed := h.appendSigned(make([]byte, 0, headerLen))
	if !hmac.Equal(file, append(signed, sign(headerKey, signed)...)) {
		keys.Wipe()
		return nil, damaged(fault.Corrupt)
	}
	return keys, nil
}
