package seal_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// kidOf returns what a root key is called under the salt of a header.
func kidOf(header, root []byte) string {
	kid := expandBy(mac(header[32:64], root), "tokenvault/1/kid")
	return hex.EncodeToString(kid[:4])
}

// req: V06
func TestThreat43WrongKey(t *testing.T) {
	h, k, header := seal.Create(seal.FromCaller, rootA)
	name, rec := sealed(t, k, record())
	headerBefore, recBefore := bytes.Clone(header), bytes.Clone(rec)

	_, err := openHeader(header, rootB)
	given := kidOf(header, rootB)
	refused(t, "header", err, fault.ErrKey, fault.WrongKey(given, h.KID.String()))
	for _, kid := range []string{given, h.KID.String()} {
		if !strings.Contains(err.Error(), kid) {
			t.Errorf("%q does not name %s", err, kid)
		}
	}

	// A vault that has the right id and another key, as one whose header was swapped.
	other, theirs, _ := seal.CreateAs(h.Vault, seal.FromCaller, rootB)
	_, err = theirs.Open(name, rec)
	refused(t, "record", err, fault.ErrKey, fault.WrongKey(other.KID.String(), h.KID.String()))

	if !bytes.Equal(header, headerBefore) || !bytes.Equal(rec, recBefore) {
		t.Error("a file was changed")
	}
}

// The key is looked at before the file is: with the wrong key, nobody can say that
// the file is damaged.
func TestThreat43WrongKeyBeforeDamage(t *testing.T) {
	h, k, header := seal.Create(seal.FromCaller, rootA)
	header[100] ^= 1
	_, err := openHeader(header, rootB)
	refused(t, "header", err, fault.ErrKey, fault.WrongKey(kidOf(header, rootB), h.KID.String()))
	name, rec := sealed(t, k, record())
	rec[len(rec)-1] ^= 1
	other, theirs, _ := seal.CreateAs(h.Vault, seal.FromCaller, rootB)
	_, err = theirs.Open(name, rec)
	refused(t, "record", err, fault.ErrKey, fault.WrongKey(other.KID.String(), h.KID.String()))
}

func TestKeyOfAnotherLength(t *testing.T) {
	h, _, header := seal.Create(seal.FromCaller, rootA)
	for _, n := range []int{0, 31, 33} {
		_, err := h.Open(header, make([]byte, n))
		refused(t, "root", err, fault.ErrKey, fault.KeyFormat)
	}
}

// req: V09
func TestThreat15PlantedItem(t *testing.T) {
	v, other := seal.NewVaultID(), seal.NewVaultID()
	item := seal.FormatItem(v, rootA)
	if got, err := seal.ParseItem(v, item); err != nil || !bytes.Equal(got, rootA) {
		t.Fatalf("our own item: %v, %v", got, err)
	}
	planted := map[string][]byte{
		"empty": nil, "text of another program": []byte(marker), "only the prefix": []byte("tvk1."),
		"of another vault": seal.FormatItem(other, rootA), "a newer kind": bytes.Replace(item, []byte("tvk1"), []byte("tvk2"), 1),
		"a newline behind": append(bytes.Clone(item), '\n'), "output of a tool before": append([]byte(marker+"\n"), item...),
		"in upper case": bytes.ToUpper(item), "hex": hex.AppendEncode(nil, item), "a newline inside": slicesReplace(item, 20, '\n'),
		"no dot": slicesReplace(item, 48, 'x'), "huge": bytes.Repeat([]byte("x"), 1<<20),
		"a longer key": seal.FormatItem(v, append(bytes.Clone(rootA), 1)), "a shorter key": seal.FormatItem(v, rootA[:31]),
	}
	for n := range len(item) {
		planted[fmt.Sprintf("cut off at %d", n)] = item[:n]
	}
	for name, b := range planted {
		got, err := seal.ParseItem(v, b)
		refused(t, name, err, fault.ErrKey, fault.NotOurItem)
		if got != nil {
			t.Errorf("%s: a key came back with the error", name)
		}
	}
	for bit := range 8 * len(item) {
		flipped := bytes.Clone(item)
		flipped[bit/8] ^= 1 << (bit % 8)
		_, err := seal.ParseItem(v, flipped)
		refused(t, "a bit flipped", err, fault.ErrKey, fault.NotOurItem)
	}
}

func slicesReplace(b []byte, at int, c byte) []byte {
	b = bytes.Clone(b)
	b[at] = c
	return b
}

// No keychain has to encode it, and all take its length.
func TestItemIsShortPrintableText(t *testing.T) {
	v := seal.VaultID{0xab, 15: 0xcd}
	if got, want := seal.Account(v), "vault-key/1/ab0000000000000000000000000000cd"; got != want {
		t.Errorf("account is %q, want %q", got, want)
	}
	for _, b := range seal.FormatItem(v, rootA) {
		if b <= ' ' || b >= 0x7f || b == '"' || b == '\\' {
			t.Errorf("the item holds %q", b)
		}
	}
	if n := len(seal.FormatItem(v, rootA)); n < 60 || n > 70 {
		t.Errorf("the item has %d bytes, want 60 to 70", n)
	}
}

// req: V03
func TestKeyText(t *testing.T) {
	digits := hex.EncodeToString(rootA)
	for name, text := range map[string]string{
		"64 digits": digits, "with a newline": digits + "\n", "with a newline of Windows": digits + "\r\n", "in upper case": strings.ToUpper(digits),
		"as it is written": string(seal.FormatKeyText(rootA)),
	} {
		if got, err := seal.ParseKeyText([]byte(text)); err != nil || !bytes.Equal(got, rootA) || len(text) > seal.MaxKeyText {
			t.Errorf("%s: got %x, %v", name, got, err)
		}
	}
	for name, text := range map[string]string{
		"empty": "", "a newline": "\n", "63 digits": digits[1:], "65 digits": digits + "0", "two newlines": digits + "\n\n", "a space behind": digits + " ",
		"a space before": " " + digits[1:], "a return alone": digits + "\r", "a prefix": "0x" + digits[2:], "a byte order mark": "\ufeff" + digits,
		"no hex digit": digits[:63] + "g", "all zero": strings.Repeat("0", 64), "all equal": strings.Repeat("ab", 32),
		"a passphrase of 64 letters": strings.Repeat(marker+"xx", 8), "UTF-16": strings.Join(strings.Split(digits, ""), "\x00"),
	} {
		got, err := seal.ParseKeyText([]byte(text))
		refused(t, name, err, fault.ErrKey, fault.KeyFormat)
		if got != nil {
			t.Errorf("%s: a key came back with the error", name)
		}
	}
}

// req: V09
func TestWipedKeysDoNothing(t *testing.T) {
	_, k, _ := seal.Create(seal.FromCaller, rootA)
	name, file := sealed(t, k, record())
	k.Wipe()
	k.Wipe()
	(*seal.Keys)(nil).Wipe()
	if _, err := k.Seal(record()); !errors.Is(err, fault.ErrClosed) {
		t.Errorf("Seal: %v, want %v", err, fault.ErrClosed)
	}
	if _, err := k.Open(name, file); !errors.Is(err, fault.ErrClosed) {
		t.Errorf("Open: %v, want %v", err, fault.ErrClosed)
	}
	if got := k.Name(record().ID); got != (seal.Name{}) {
		t.Errorf("Name: %v, want none", got)
	}
}
