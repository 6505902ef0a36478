// Package seal is the format of a vault: the header, the sealed records and their
// file names, the item of the keychain, and the text of a key. It is bytes to bytes:
// no files, no clock. All numbers are big endian.
//
// What opens is what was sealed, under this name, in this vault: else there is an
// error, which tells another vault, another key, a newer format and damage apart.
package seal

import "encoding/hex"

// KeyBytes is the length of a root key.
const KeyBytes = 32

// A VaultID names a vault. It is random, and another one after a reset.
type VaultID [16]byte

// A KID names the key of a vault without telling anything about it.
type KID [16]byte

// String returns the first 8 hex digits.
func (k KID) String() string { return hex.EncodeToString(k[:4]) }

// A Source says who keeps the root key.
type Source byte

// The sources, as they stand in a header.
const (
	FromKeychain Source = 1
	FromCaller   Source = 2
)

// The bytes at the beginning of each file. A later version keeps their places, so
// that this one can refuse it by its name.
const (
	magic      = "TVLT"
	version    = 1
	kindHeader = 'H'
	kindRecord = 'R'

	atVersion   = 4
	atKind      = 5
	atAlgorithm = 6
	startLen    = 8
)

// hkdfAESGCM is the only algorithm: HKDF-SHA-256 and AES-256-GCM. 2 and 3 are kept
// for XChaCha20-Poly1305 and AES-256-GCM-SIV.
const hkdfAESGCM = 1
