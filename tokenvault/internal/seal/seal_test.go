package seal_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// Keys that are easy to see in a dump.
var (
	rootA = bytes.Repeat([]byte("root key A of 32"), 2)
	rootB = bytes.Repeat([]byte("root key B of 32"), 2)
)

// marker is in every secret and identity of the tests.
const marker = "mArKeR"

func record() seal.Record {
	return seal.Record{
		ID:      seal.ID{Service: marker + " service", Account: "https://" + marker + ".example/mcp", Key: marker + "\x01<key>"},
		Counter: 7, Incarnation: [8]byte{1, 2, 3, 4, 5, 6, 7, 8},
		SavedAt: time.Date(2026, 11, 30, 12, 0, 0, 123456789, time.UTC), ExpiresAt: time.Date(2026, 11, 30, 13, 0, 0, 0, time.UTC),
		Label: marker + " label \u202e", Meta: map[string]string{marker: "a\nb"}, Value: []byte(marker + "-refresh-token"),
	}
}

// sealed returns the file of a record.
func sealed(t testing.TB, k *seal.Keys, r seal.Record) (seal.Name, []byte) {
	t.Helper()
	file, err := k.Seal(r)
	if err != nil {
		t.Fatal(err)
	}
	return k.Name(r.ID), file
}

// refused checks the kind of an error, its detail, and that it tells nothing.
func refused(t testing.TB, what string, err, sentinel error, detail fault.Detail) {
	t.Helper()
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || !errors.Is(err, sentinel) || f.Detail != detail {
		t.Errorf("%s: got %v, want %v: %s", what, err, sentinel, detail)
		return
	}
	if strings.Contains(err.Error(), marker) {
		t.Errorf("%s: the error %q tells what is sealed", what, err)
	}
}

func TestRecordComesBack(t *testing.T) {
	_, k, _ := seal.Create(seal.FromCaller, rootA)
	full := record()
	bare := seal.Record{ID: seal.ID{Service: "s"}}
	for name, want := range map[string]seal.Record{"full": full, "bare": bare} {
		t.Run(name, func(t *testing.T) {
			n, file := sealed(t, k, want)
			got, err := k.Open(n, file)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, %v, want %+v", got, err, want)
			}
		})
	}
}

func TestTimesComeBack(t *testing.T) {
	_, k, _ := seal.Create(seal.FromCaller, rootA)
	last := time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct{ in, want time.Time }{
		"another zone":     {time.Date(2026, 1, 1, 1, 0, 0, 5, time.FixedZone("x", 3600)), time.Date(2026, 1, 1, 0, 0, 0, 5, time.UTC)},
		"now":              {time.Unix(1e9, 0).Local(), time.Unix(1e9, 0).UTC()},
		"beyond the last":  {time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC), last},
		"far beyond":       {time.Unix(1<<60, 0), last},
		"before the first": {time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC), time.Time{}},
		"none":             {},
	} {
		t.Run(name, func(t *testing.T) {
			r := record()
			r.ExpiresAt = c.in
			got, err := k.Open(sealed(t, k, r))
			if err != nil || !got.ExpiresAt.Equal(c.want) || got.ExpiresAt.IsZero() != c.want.IsZero() {
				t.Errorf("%v came back as %v, %v, want %v", c.in, got.ExpiresAt, err, c.want)
			}
		})
	}
}

func TestHeaderComesBack(t *testing.T) {
	for _, source := range []seal.Source{seal.FromKeychain, seal.FromCaller} {
		want, k, file := seal.Create(source, rootA)
		got, err := seal.ParseHeader(file)
		if err != nil || got != want || got.Source != source || len(file) != 112 {
			t.Errorf("got %v, %v of %d bytes, want %v", got, err, len(file), want)
		}
		again, err := got.Open(file, rootA)
		if err != nil {
			t.Fatal(err)
		}
		if again.KID() != k.KID() || again.Vault() != want.Vault || again.Name(record().ID) != k.Name(record().ID) {
			t.Errorf("the keys that were read are not those that were made")
		}
	}
}
