package seal_test

import (
	"bytes"
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

var update = flag.Bool("update", false, "seal the files of testdata/golden once more")

const golden = "testdata/golden"

// goldenRecords are what the files of testdata/golden hold.
func goldenRecords() []seal.Record {
	return []seal.Record{
		{
			ID: seal.ID{Service: "example/bridge", Account: "https://mcp.example/mcp", Key: "tokens"}, Counter: 3, Incarnation: [8]byte{0xa1, 7: 0xa8},
			SavedAt: time.Date(2026, 11, 30, 10, 20, 30, 400000000, time.UTC), ExpiresAt: time.Date(2026, 11, 30, 11, 20, 30, 0, time.UTC),
			Label: "Beispiel – ☂", Meta: map[string]string{"scope": "read write", "a\"b": "<&>"}, Value: []byte(`{"refresh_token":"golden"}`),
		},
		{ID: seal.ID{Account: strings.Repeat("ä", 1024)}, Counter: 1<<64 - 1, Value: bytes.Repeat([]byte("golden "), 1000)},
		{ID: seal.ID{Key: "empty"}, Counter: 1, SavedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)},
	}
}

func goldenRoot() []byte {
	root, _ := hex.DecodeString("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
	return root
}

func TestMain(m *testing.M) {
	flag.Parse()
	if *update {
		os.RemoveAll(golden)
		os.Mkdir(golden, 0o755)
		h, k, header := seal.Create(seal.FromCaller, goldenRoot())
		write("vault", header)
		write("item", seal.FormatItem(h.Vault, goldenRoot()))
		write("key", seal.FormatKeyText(goldenRoot()))
		for _, r := range goldenRecords() {
			file, err := k.Seal(r)
			if err != nil {
				panic(err)
			}
			write(k.Name(r.ID).File(), file)
		}
	}
	os.Exit(m.Run())
}

func write(name string, b []byte) {
	if err := os.WriteFile(filepath.Join(golden, name), b, 0o644); err != nil {
		panic(err)
	}
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(golden, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// records returns the files that are called like records.
func records(t testing.TB) (names []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(golden, "r-*"))
	if err != nil || len(all) != len(goldenRecords()) {
		t.Fatalf("%d records, %v, want %d", len(all), err, len(goldenRecords()))
	}
	for _, path := range all {
		names = append(names, filepath.Base(path))
	}
	return names
}

// What an earlier version has sealed opens.
func TestGoldenFilesOpen(t *testing.T) {
	root, err := seal.ParseKeyText(read(t, "key"))
	if err != nil || !bytes.Equal(root, goldenRoot()) {
		t.Fatalf("the key is %x, %v", root, err)
	}
	k, err := openHeader(read(t, "vault"), root)
	if err != nil {
		t.Fatal(err)
	}
	if item, err := seal.ParseItem(k.Vault(), read(t, "item")); err != nil || !bytes.Equal(item, root) {
		t.Errorf("the item holds %x, %v", item, err)
	}
	for _, want := range goldenRecords() {
		got, err := k.Open(k.Name(want.ID), read(t, k.Name(want.ID).File()))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	}
}

// The format is what its description says: a reader made from that alone reads it.
func TestGoldenFilesAreAsDescribed(t *testing.T) {
	header := read(t, "vault")
	prk, err := decodeHeader(header, goldenRoot())
	if err != nil {
		t.Fatal(err)
	}
	if root, err := decodeItem(header[16:32], string(read(t, "item"))); err != nil || !bytes.Equal(root, goldenRoot()) {
		t.Errorf("the item holds %x, %v", root, err)
	}
	var got []decoded
	for _, name := range records(t) {
		d, err := decodeRecord(header, prk, name, read(t, name))
		if err != nil {
			t.Fatal(name, err)
		}
		got = append(got, d)
	}
	for _, r := range goldenRecords() {
		want := described(r)
		found := false
		for _, d := range got {
			found = found || reflect.DeepEqual(d, want)
		}
		if !found {
			t.Errorf("none of the files holds %+v; they hold %+v", want, got)
		}
	}
}

// So does what is sealed today.
func TestSealedIsAsDescribed(t *testing.T) {
	_, k, header := seal.Create(seal.FromKeychain, rootB)
	prk, err := decodeHeader(header, rootB)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range append(goldenRecords(), record()) {
		name, file := sealed(t, k, r)
		got, err := decodeRecord(header, prk, name.File(), file)
		if want := described(r); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
}

func described(r seal.Record) decoded {
	text := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.Format(time.RFC3339Nano)
	}
	d := decoded{Counter: r.Counter, Incarnation: string(r.Incarnation[:]), Value: string(r.Value)}
	d.About.Service, d.About.Account, d.About.Key = r.ID.Service, r.ID.Account, r.ID.Key
	d.About.Saved, d.About.Expires, d.About.Label, d.About.Meta = text(r.SavedAt), text(r.ExpiresAt), r.Label, r.Meta
	return d
}
