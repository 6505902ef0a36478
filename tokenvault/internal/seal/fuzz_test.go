package seal_test

import (
	"bytes"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// Nothing but the header itself opens.
func FuzzHeader(f *testing.F) {
	header := read(f, "vault")
	f.Add(header)
	f.Add(header[:80])
	f.Add([]byte("TVLT\x02H\x01\x02"))
	f.Fuzz(func(t *testing.T, file []byte) {
		h, err := seal.ParseHeader(file)
		if err != nil {
			if h != (seal.Header{}) {
				t.Error("a header came back with an error")
			}
			return
		}
		if _, err := h.Open(file, goldenRoot()); (err == nil) != bytes.Equal(file, header) {
			t.Errorf("%x opens: %v", file, err)
		}
	})
}

// Nothing but the record itself opens under its name.
func FuzzRecord(f *testing.F) {
	k, err := openHeader(read(f, "vault"), goldenRoot())
	if err != nil {
		f.Fatal(err)
	}
	name := k.Name(goldenRecords()[0].ID)
	record := read(f, name.File())
	f.Add(record)
	f.Add(record[:124])
	f.Add([]byte("TVLT\x01R\x01\x00"))
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := k.Open(name, file)
		if (err == nil) != bytes.Equal(file, record) {
			t.Errorf("%x opens: %v", file, err)
		}
		if err != nil && r.Value != nil {
			t.Error("a value came back with an error")
		}
	})
}

// There is one text for a key of a vault.
func FuzzItem(f *testing.F) {
	v := seal.VaultID{1}
	f.Add(seal.FormatItem(v, rootA))
	f.Add([]byte("tvk1.."))
	f.Fuzz(func(t *testing.T, item []byte) {
		key, err := seal.ParseItem(v, item)
		if err == nil && !bytes.Equal(seal.FormatItem(v, key), item) {
			t.Errorf("%q is taken for an item", item)
		}
	})
}

// What is taken is what would be written, but for the case of digits and the newline.
func FuzzKeyText(f *testing.F) {
	f.Add(seal.FormatKeyText(rootA))
	f.Add(bytes.Repeat([]byte("0"), 64))
	f.Fuzz(func(t *testing.T, text []byte) {
		key, err := seal.ParseKeyText(text)
		if err != nil {
			return
		}
		want := bytes.TrimSuffix(seal.FormatKeyText(key), []byte("\n"))
		rest, ok := bytes.CutPrefix(bytes.ToLower(text), want)
		if !ok || string(rest) != "" && string(rest) != "\n" && string(rest) != "\r\n" {
			t.Errorf("%q is taken for a key", text)
		}
	})
}

// Two identities have one name only if they are the same.
func FuzzName(f *testing.F) {
	_, k, _ := seal.Create(seal.FromCaller, rootA)
	f.Add("a", "b", "c", "ab", "", "c")
	f.Add("", "", "", "", "", "\x00")
	f.Fuzz(func(t *testing.T, s1, a1, k1, s2, a2, k2 string) {
		one, two := seal.ID{Service: s1, Account: a1, Key: k1}, seal.ID{Service: s2, Account: a2, Key: k2}
		for _, id := range []seal.ID{one, two} {
			if id.Check() != nil && k.Name(id) != (seal.Name{}) {
				t.Errorf("%q has a name", id)
			}
			if got, ok := seal.ParseName(k.Name(id).File()); !ok || got != k.Name(id) {
				t.Errorf("the name of %q does not come back", id)
			}
		}
		if one != two && one.Check() == nil && two.Check() == nil && k.Name(one) == k.Name(two) {
			t.Errorf("%q and %q have one name", one, two)
		}
	})
}
