package seal_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// req: V06
func TestThreat03NothingReadable(t *testing.T) {
	_, k, header := seal.Create(seal.FromCaller, rootA)
	name, first := sealed(t, k, record())
	_, second := sealed(t, k, record())
	for what, b := range map[string][]byte{"name": []byte(name.File()), "record": first, "header": header} {
		for form, hidden := range map[string]string{
			"plain": marker, "hex": hex.EncodeToString([]byte(marker)), "base64": base64.RawStdEncoding.EncodeToString([]byte(marker)),
			"lower case": strings.ToLower(marker), "root key": string(rootA), "root key in hex": hex.EncodeToString(rootA),
		} {
			if bytes.Contains(b, []byte(hidden)) {
				t.Errorf("%s holds the %s", what, form)
			}
		}
	}
	for at := 64; at+16 <= len(first); at += 16 { // from the salt on nothing is the same
		if bytes.Equal(first[at:at+16], second[at:at+16]) {
			t.Errorf("two seals of one record are the same at byte %d", at)
		}
	}
}

// Only the order of magnitude of a token shows.
//
// req: V06
func TestThreat03SizesAreEqual(t *testing.T) {
	_, k, _ := seal.Create(seal.FromCaller, rootA)
	r := record()
	sizes := map[int]int{}
	for n := 0; n <= 5000; n += 7 {
		r.Value = make([]byte, n)
		_, file := sealed(t, k, r)
		sizes[len(file)]++
	}
	for size := range sizes {
		if n := size - 124; n < 1024 || n&(n-1) != 0 {
			t.Errorf("a file has %d bytes, want 124 and a power of two from 1024 on", size)
		}
	}
	if len(sizes) != 4 { // 1, 2, 4, 8 KiB
		t.Errorf("%d sizes, want 4", len(sizes))
	}
}

// What stands on the disk, and what is public in the header, do not help to try out
// addresses.
//
// req: V06
func TestThreat04DictionaryOfNames(t *testing.T) {
	h, k, _ := seal.Create(seal.FromCaller, rootA)
	urls := make([]string, 10_000)
	names := map[seal.Name]bool{}
	for i := range urls {
		urls[i] = fmt.Sprintf("https://mcp%d.example/mcp", i)
		names[k.Name(seal.ID{Account: urls[i]})] = true
	}
	if len(names) != len(urls) {
		t.Fatalf("%d names of %d addresses", len(names), len(urls))
	}
	_, ofB, _ := seal.CreateAs(h.Vault, seal.FromCaller, rootB)
	_, again, _ := seal.CreateAs(h.Vault, seal.FromCaller, rootA)
	public := [][]byte{make([]byte, 32), h.Vault[:], h.Salt[:], h.KID[:]}
	for _, u := range urls {
		for _, text := range []string{u, "\x00\x00\x00" + string(rune(len(u))) + u + "\x00\x00"} {
			guesses := [][]byte{sum256([]byte(text)), sum512([]byte(text))}
			for _, key := range public {
				m := hmac.New(sha256.New, key)
				m.Write([]byte(text))
				guesses = append(guesses, m.Sum(nil), sum256(append(bytes.Clone(key), text...)))
			}
			for _, g := range guesses {
				if names[seal.Name(g)] {
					t.Fatal("a name is a digest that anybody can make")
				}
			}
		}
		if id := (seal.ID{Account: u}); names[ofB.Name(id)] || names[again.Name(id)] {
			t.Fatal("another key, or another salt, gives the same name")
		}
	}
}

func sum256(b []byte) []byte { s := sha256.Sum256(b); return s[:] }
func sum512(b []byte) []byte { s := sha512.Sum512(b); return s[:] }

// The keys are in no place where a printer or a dumper looks.
//
// req: V09
func TestKeysAreNotPrinted(t *testing.T) {
	_, k, file := seal.Create(seal.FromCaller, rootA)
	prk := mac(file[32:64], rootA)
	for _, verb := range []string{"%v", "%+v", "%#v", "%x", "%s", "%d"} {
		for _, v := range []any{k, reflect.ValueOf(k).Elem().Interface(), []any{k}} {
			printed := fmt.Sprintf(verb, v)
			for _, info := range []string{"name", "seal", "header"} {
				key := expandBy(prk, "tokenvault/1/"+info)
				for _, form := range []string{string(key), fmt.Sprintf("%x", key), fmt.Sprintf("%v", key[:8]), fmt.Sprintf("%#v", key)[7:40]} {
					if strings.Contains(printed, strings.Trim(form, "[]")) {
						t.Errorf("%s of %T shows the %s key", verb, v, info)
					}
				}
			}
		}
	}
}
