package seal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// A server has a part in the texts: what it chooses ends up in no name.
//
// req: V06
func TestThreat47TextsOfAServer(t *testing.T) {
	_, k, _ := seal.Create(seal.FromCaller, rootA)
	long := strings.Repeat("x", seal.MaxIDPart)
	for what, text := range map[string]string{
		"a path": "../../../etc/passwd", "an absolute path": "/etc/passwd", "a drive": `C:\x`, "a device": "NUL", "bidi": "\u202egnp.exe", "newline": "a\nb",
		"control": "\x1b[2J\x01\x7f", "quotes": `"'<>&\`, "empty": "", "the longest": long,
		"the longest in JSON": strings.Repeat("\x01", seal.MaxIDPart),
	} {
		for _, id := range []seal.ID{{Service: text}, {Account: text}, {Key: text}, {text, text, text}} {
			r := seal.Record{ID: id, Label: text, Meta: map[string]string{text: text}, Counter: 1}
			name, file := sealed(t, k, r)
			got, err := k.Open(name, file)
			if err != nil || got.ID != id || got.Label != text || got.Meta[text] != text {
				t.Errorf("%s: %v, or another text came back", what, err)
			}
			if f := name.File(); len(f) != 28 || strings.Trim(f, "abcdefghijklmnopqrstuvwxyz234567-") != "" {
				t.Errorf("%s: the file is called %q", what, f)
			}
		}
	}
	for what, text := range map[string]string{
		"a byte too long": long + "x", "1 MB": strings.Repeat("x", 1<<20), "NUL": "a\x00", "not UTF-8": "a\xff", "a surrogate": "\xed\xa0\x80",
	} {
		for _, id := range []seal.ID{{Service: text}, {Account: text}, {Key: text}} {
			_, err := k.Seal(seal.Record{ID: id})
			refused(t, what, err, fault.ErrNotWritable, fault.BadID)
			refused(t, what, id.Check(), fault.ErrNotWritable, fault.BadID)
			if got := k.Name(id); got != (seal.Name{}) {
				t.Errorf("%s: the name is %v, want none", what, got)
			}
		}
	}
	for what, text := range map[string]string{"NUL": "a\x00", "not UTF-8": "a\xff"} {
		for _, r := range []seal.Record{{Label: text}, {Meta: map[string]string{text: ""}}, {Meta: map[string]string{"": text}}} {
			_, err := k.Seal(r)
			refused(t, what, err, fault.ErrNotWritable, fault.BadText)
		}
	}
}

// No two identities are one, however their parts are cut.
//
// req: V05
func TestThreat47NamesAreInjective(t *testing.T) {
	_, k, _ := seal.Create(seal.FromCaller, rootA)
	seen := map[seal.Name]seal.ID{}
	for _, text := range []string{"", "a", "ab", "abc", "\x01\x01", "\x01a\x01b", "a\x02", strings.Repeat("a", 256), strings.Repeat("a", 257)} {
		for i := range len(text) + 1 {
			for j := i; j <= len(text); j++ {
				id := seal.ID{Service: text[:i], Account: text[i:j], Key: text[j:]}
				if before, ok := seen[k.Name(id)]; ok && before != id {
					t.Fatalf("%q and %q have one name", before, id)
				}
				seen[k.Name(id)] = id
			}
		}
	}
}

// req: V08
func TestThreat48TooLarge(t *testing.T) {
	_, k, _ := seal.Create(seal.FromCaller, rootA)
	r := record()
	r.Value = make([]byte, seal.MaxValue)
	_, file := sealed(t, k, r)
	if len(file) > seal.MaxFile {
		t.Errorf("the largest value takes %d bytes, more than the %d that are read", len(file), seal.MaxFile)
	}
	for what, change := range map[string]func(*seal.Record){
		"a byte too large": func(r *seal.Record) { r.Value = make([]byte, seal.MaxValue+1) },
		"1 MB":             func(r *seal.Record) { r.Value = make([]byte, 1<<20) },
		"a large label":    func(r *seal.Record) { r.Label = strings.Repeat("x", 128<<10) },
		"much meta":        func(r *seal.Record) { r.Meta = map[string]string{"k": strings.Repeat("x", 1<<20)} },
	} {
		r := record()
		change(&r)
		_, err := k.Seal(r)
		refused(t, what, err, fault.ErrNotWritable, fault.TooLarge)
	}
}

// req: V08
func TestRoomHoldsTheNextVersion(t *testing.T) {
	_, k, _ := seal.Create(seal.FromCaller, rootA)
	r := record()
	for _, n := range []int{0, 100, 3000, 5000, 100_000, seal.MaxValue} {
		r.Value = make([]byte, n)
		room := r.Room()
		r.Value = make([]byte, min(2*n, seal.MaxValue))
		if _, next := sealed(t, k, r); int64(len(next)) > room || room < 8<<10 {
			t.Errorf("with a value of %d bytes the room is %d, and twice the value takes %d", n, room, len(next))
		}
	}
	if got := (seal.Record{Label: "\xff"}).Room(); got != seal.MaxFile {
		t.Errorf("the room of a record that cannot be sealed is %d, want the largest", got)
	}
}

func TestSealedSize(t *testing.T) {
	for _, c := range []struct{ value, about, want int }{
		{0, 0, 124 + 1024}, {1016, 0, 124 + 1024}, {1017, 0, 124 + 2048}, {1000, 16, 124 + 1024}, {1000, 17, 124 + 2048}, {4088, 0, 124 + 4096},
	} {
		if got := seal.SealedSize(c.value, c.about); got != int64(c.want) {
			t.Errorf("SealedSize(%d, %d) = %d, want %d", c.value, c.about, got, c.want)
		}
	}
}

func TestNamesOfFiles(t *testing.T) {
	n := seal.Name{0: 0xff, 15: 0x01}
	if got, ok := seal.ParseName(n.File()); !ok || got != n {
		t.Errorf("%q is read as %v, %v", n.File(), got, ok)
	}
	if got, want := n.File(), "r-74aaaaaaaaaaaaaaaaaaaaaaae"; got != want {
		t.Errorf("the file is called %q, want %q", got, want)
	}
	if got := n.Stripe(); got != 0x3f {
		t.Errorf("the stripe is %d, want 63", got)
	}
	for _, file := range []string{
		"", "r-", "vault", "l-00", "t-0123456789abcdef", "R-74aaaaaaaaaaaaaaaaaaaaaaae", "r-74AAAAAAAAAAAAAAAAAAAAAAAE", "r-74aaaaaaaaaaaaaaaaaaaaaaa",
		"r-74aaaaaaaaaaaaaaaaaaaaaaaea", "r-74aaaaaaaaaaaaaaaaaaaaaaaf", "r-74aaaaaaaaaaaaaaaaaaaaaaa=", "r-74aaaaaaaaaaaaaaaaaaaaaa\nae", "r-14aaaaaaaaaaaaaaaaaaaaaaae",
		"r-74aaaaaaaaaaaaaaaaaaaaaaae.bak",
	} {
		if _, ok := seal.ParseName(file); ok {
			t.Errorf("%q is taken for a record", file)
		}
	}
}

func TestErrorsAreFaults(t *testing.T) {
	_, k, _ := seal.Create(seal.FromCaller, rootA)
	_, err := k.Seal(seal.Record{Label: marker + "\x00"})
	if _, ok := errors.AsType[*fault.Error](err); !ok || strings.Contains(err.Error(), marker) {
		t.Errorf("got %T %v, want a fault without the label", err, err)
	}
}
