package seal_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"slices"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// openHeader does what a vault does with a header that it finds.
func openHeader(file, root []byte) (*seal.Keys, error) {
	h, err := seal.ParseHeader(file)
	if err != nil {
		return nil, err
	}
	return h.Open(file, root)
}

// A span is a part of a file, and what is said when it was changed.
type span struct {
	end      int
	what     string
	sentinel error
	detail   func(changed []byte) fault.Detail
}

func always(d fault.Detail) func([]byte) fault.Detail { return func([]byte) fault.Detail { return d } }

func spanAt(spans []span, at int) span {
	return spans[slices.IndexFunc(spans, func(s span) bool { return at < s.end })]
}

var (
	corrupt   = always(fault.Corrupt)
	foreign   = always(fault.Foreign)
	anyNewer  = always(fault.Unsupported)
	version   = func(b []byte) fault.Detail { return fault.UnsupportedVersion(b[4]) }
	algorithm = func(b []byte) fault.Detail { return fault.UnsupportedAlgorithm(b[6]) }
)

func recordSpans(k *seal.Keys) []span {
	return []span{
		{4, "magic", fault.ErrDamaged, foreign}, {5, "version", fault.ErrDamaged, version}, {6, "kind", fault.ErrDamaged, corrupt},
		{7, "algorithm", fault.ErrDamaged, algorithm}, {8, "flags", fault.ErrDamaged, anyNewer}, {12, "zeros", fault.ErrDamaged, corrupt},
		{16, "length", fault.ErrDamaged, corrupt},
		{32, "key id", fault.ErrKey, func(b []byte) fault.Detail {
			return fault.WrongKey(k.KID().String(), seal.KID(b[16:]).String())
		}},
		{48, "vault id", fault.ErrDamaged, foreign}, {56, "counter", fault.ErrDamaged, corrupt},
		{64, "incarnation", fault.ErrDamaged, corrupt}, {96, "salt", fault.ErrDamaged, corrupt}, {108, "nonce", fault.ErrDamaged, corrupt},
		{1 << 30, "ciphertext and tag", fault.ErrDamaged, corrupt},
	}
}

// req: V06
func TestThreat06BitFlipsOfARecord(t *testing.T) {
	_, k, _ := seal.Create(seal.FromCaller, rootA)
	name, file := sealed(t, k, record())
	spans := recordSpans(k)
	for bit := range 8 * len(file) {
		flipped := bytes.Clone(file)
		flipped[bit/8] ^= 1 << (bit % 8)
		before := bytes.Clone(flipped)
		_, err := k.Open(name, flipped)
		s := spanAt(spans, bit/8)
		refused(t, s.what, err, s.sentinel, s.detail(flipped))
		if !bytes.Equal(flipped, before) {
			t.Fatalf("%s: Open has changed the file", s.what)
		}
	}
}

// The salt and the key id say together which key it is. When one of them was
// changed, the right key looks like a wrong one.
//
// req: V06
func TestThreat06BitFlipsOfAHeader(t *testing.T) {
	spans := []span{
		{4, "magic", fault.ErrDamaged, foreign}, {5, "version", fault.ErrDamaged, version}, {6, "kind", fault.ErrDamaged, corrupt},
		{7, "algorithm", fault.ErrDamaged, algorithm}, {8, "source", fault.ErrDamaged, corrupt}, {16, "zeros", fault.ErrDamaged, corrupt},
		{32, "vault id", fault.ErrDamaged, corrupt}, {64, "salt", fault.ErrKey, nil}, {80, "key id", fault.ErrKey, nil},
		{112, "HMAC", fault.ErrDamaged, corrupt},
	}
	for _, source := range []seal.Source{seal.FromKeychain, seal.FromCaller} {
		h, _, file := seal.Create(source, rootA)
		for bit := range 8 * len(file) {
			flipped := bytes.Clone(file)
			flipped[bit/8] ^= 1 << (bit % 8)
			before := bytes.Clone(flipped)
			_, err := openHeader(flipped, rootA)
			switch s := spanAt(spans, bit/8); {
			case s.what == "salt":
				refused(t, s.what, err, s.sentinel, fault.WrongKey(kidOf(flipped, rootA), h.KID.String()))
			case s.what == "key id":
				refused(t, s.what, err, s.sentinel, fault.WrongKey(h.KID.String(), seal.KID(flipped[64:]).String()))
			default:
				refused(t, s.what, err, s.sentinel, s.detail(flipped))
			}
			if !bytes.Equal(flipped, before) {
				t.Fatal("Open has changed the file")
			}
		}
	}
}

// The two sources are two bits apart.
//
// req: V06
func TestThreat06SourceOfAHeaderSwapped(t *testing.T) {
	_, _, file := seal.Create(seal.FromKeychain, rootA)
	file[7] = byte(seal.FromCaller)
	_, err := openHeader(file, rootA)
	refused(t, "source", err, fault.ErrDamaged, fault.Corrupt)
	file[7] = 3 // who keeps the key is asked before there is one
	_, err = seal.ParseHeader(file)
	refused(t, "no source", err, fault.ErrDamaged, fault.Corrupt)
}

// req: V06
func TestThreat07SwappedNames(t *testing.T) {
	_, k, header := seal.Create(seal.FromCaller, rootA)
	r := record()
	nameA, fileA := sealed(t, k, r)
	r.ID.Account = "other"
	nameB, fileB := sealed(t, k, r)
	_, err := k.Open(nameA, fileB)
	refused(t, "the file of B under A", err, fault.ErrDamaged, fault.Corrupt)
	_, err = k.Open(nameB, fileA)
	refused(t, "the file of A under B", err, fault.ErrDamaged, fault.Corrupt)

	// The tag keeps the name, whatever is inside; and what is inside has to be that of
	// the name, even if somebody with the key says it is.
	prk, err := decodeHeader(header, rootA)
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[seal.Name][]byte{nameA: fileA, nameB: fileB} {
		if _, err := decodeRecord(header, prk, name.File(), file); err != nil {
			t.Errorf("the tag does not cover the name: %v", err)
		}
	}
	_, err = k.Open(nameB, forged(t, prk, fileA, nameA, nameB))
	refused(t, "the file of A sealed for B", err, fault.ErrDamaged, fault.Corrupt)
}

// forged seals a file once more, under another name.
func forged(t *testing.T, prk, file []byte, from, to seal.Name) []byte {
	t.Helper()
	block, err := aes.NewCipher(expandBy(mac(file[64:96], expandBy(prk, "tokenvault/1/seal")), "tokenvault/1/gcm"))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		t.Fatal(err)
	}
	head := slices.Clip(file[:96])
	text, err := gcm.Open(nil, nil, file[96:], append(head, from[:]...))
	if err != nil {
		t.Fatal(err)
	}
	return append(head, gcm.Seal(nil, nil, text, append(head, to[:]...))...)
}

// Whoever moves a file can also change what stands in plain.
//
// req: V06
func TestThreat08RecordOfAnotherVaultWithTheSameKey(t *testing.T) {
	_, here, _ := seal.Create(seal.FromCaller, rootA)
	_, there, _ := seal.Create(seal.FromCaller, rootA)
	_, file := sealed(t, there, record())
	name := here.Name(record().ID)
	_, err := here.Open(name, file)
	refused(t, "moved", err, fault.ErrDamaged, fault.Foreign)

	vault, kid := here.Vault(), here.KID()
	copy(file[32:], vault[:])
	_, err = here.Open(name, file)
	refused(t, "with the vault id changed", err, fault.ErrKey, fault.WrongKey(kid.String(), there.KID().String()))

	copy(file[16:], kid[:])
	_, err = here.Open(name, file)
	refused(t, "with the key id changed too", err, fault.ErrDamaged, fault.Corrupt)
}

// A vault with the same id and the same salt, as the owner of two backups has it, is
// the same vault.
func TestSameHeaderOpensTheSame(t *testing.T) {
	_, k, file := seal.Create(seal.FromCaller, rootA)
	again, err := openHeader(file, rootA)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Open(sealed(t, k, record())); err != nil {
		t.Error(err)
	}
}

// req: V06
func TestThreat13OtherVersionsAndAlgorithms(t *testing.T) {
	_, k, header := seal.Create(seal.FromCaller, rootA)
	name, rec := sealed(t, k, record())
	open := map[string]func([]byte) error{
		"record": func(b []byte) error { _, err := k.Open(name, b); return err },
		"header": func(b []byte) error { _, err := openHeader(b, rootA); return err },
	}
	for file, b := range map[string][]byte{"record": rec, "header": header} {
		for n := range 256 {
			for at, detail := range map[int]fault.Detail{
				4: fault.UnsupportedVersion(byte(n)), 5: fault.Corrupt, 6: fault.UnsupportedAlgorithm(byte(n)),
			} {
				if b[at] == byte(n) {
					continue
				}
				changed := bytes.Clone(b)
				changed[at] = byte(n)
				refused(t, file, open[file](changed), fault.ErrDamaged, detail)
			}
		}
	}
	rec[5] = 'H'
	_, other, _ := seal.Create(seal.FromCaller, rootB)
	_, err := other.Open(name, rec)
	refused(t, "a file of another kind, of another vault", err, fault.ErrDamaged, fault.Corrupt)
	rec[5] = 'R'
	for n := 1; n < 256; n++ {
		rec[7] = byte(n)
		refused(t, "flags", open["record"](rec), fault.ErrDamaged, fault.Unsupported)
	}
}

// req: V08
func TestThreat20EveryLength(t *testing.T) {
	_, k, header := seal.Create(seal.FromCaller, rootA)
	name, rec := sealed(t, k, record())
	for n := range len(rec) {
		_, err := k.Open(name, rec[:n])
		refused(t, "record cut off", err, fault.ErrDamaged, fault.Corrupt)
	}
	for n := range len(header) {
		_, err := openHeader(header[:n], rootA)
		refused(t, "header cut off", err, fault.ErrDamaged, fault.Corrupt)
	}
	_, other, _ := seal.Create(seal.FromCaller, rootB)
	for _, n := range []int{8, 123, 124, 300, len(rec) - 1} {
		_, err := other.Open(name, rec[:n])
		refused(t, "record of another vault cut off", err, fault.ErrDamaged, fault.Corrupt)
	}
	_, err := k.Open(name, append(bytes.Clone(rec), 0))
	refused(t, "record with a byte more", err, fault.ErrDamaged, fault.Corrupt)
	_, err = openHeader(append(header, 0), rootA)
	refused(t, "header with a byte more", err, fault.ErrDamaged, fault.Corrupt)
	_, err = k.Open(name, make([]byte, len(rec)))
	refused(t, "record of zeros", err, fault.ErrDamaged, fault.Foreign)
}

// A newer format may have other lengths and other fields behind the first bytes.
//
// req: V06
func TestThreat54NewerFormat(t *testing.T) {
	_, k, header := seal.Create(seal.FromCaller, rootA)
	name, rec := sealed(t, k, record())
	for _, n := range []int{8, 20, 112, 124, 200, 4096} {
		file := append(bytes.Clone(rec), make([]byte, 4096)...)[:n]
		file[4] = 2
		_, err := k.Open(name, file)
		refused(t, "record", err, fault.ErrDamaged, fault.UnsupportedVersion(2))
		file = append(bytes.Clone(header), make([]byte, 4096)...)[:n]
		file[4] = 2
		_, err = openHeader(file, rootA)
		refused(t, "header", err, fault.ErrDamaged, fault.UnsupportedVersion(2))
	}
	if got, want := string(fault.UnsupportedVersion(2)), "of a newer format: version 2"; got != want {
		t.Errorf("the detail is %q, want %q", got, want)
	}
}
