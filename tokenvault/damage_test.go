package tokenvault_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// A damaged record is told from others, and nothing but Delete takes it away.
//
// req: V06
func TestThreat06DamagedRecordStays(t *testing.T) {
	c := fileConfig(newDir(t))
	v := open(t, c)
	put(t, v, alice, "1")
	bob := tokenvault.ID{Service: "tests", Account: "bob", Key: alice.Key}
	rev := put(t, v, alice, "2")
	damage(t, recordsIn(t, v.Status().Dir)[0])
	put(t, v, bob, "3")
	before := filesIn(t, v.Status().Dir)

	_, getErr := v.Get(t.Context(), alice)
	_, putErr := v.Put(t.Context(), alice, testKey, tokenvault.PutOptions{})
	_, _, refreshErr := v.Refresh(t.Context(), alice, rev, mustNot(t))
	deleteErr := v.Delete(t.Context(), alice, tokenvault.IfRevision(rev))
	for op, err := range map[string]error{"Get": getErr, "Put": putErr, "Refresh": refreshErr, "Delete of a revision": deleteErr} {
		if !errors.Is(err, tokenvault.ErrDamaged) {
			t.Errorf("%s: got %v, want ErrDamaged", op, err)
		}
	}
	infos, err := v.List(t.Context())
	bad := 0
	for _, i := range infos {
		if errors.Is(i.Err, tokenvault.ErrDamaged) {
			bad++
		}
	}
	if err != nil || len(infos) != 2 || bad != 1 {
		t.Errorf("List: %v, %d records, %d damaged; want 2 and 1", err, len(infos), bad)
	}
	if !maps.Equal(before, filesIn(t, v.Status().Dir)) {
		t.Error("the files were changed")
	}
	if err := v.Delete(t.Context(), alice, tokenvault.Always); err != nil {
		t.Errorf("Delete: %v", err)
	}
	put(t, v, alice, "4")
}

// damage changes one bit in the middle of a file.
func damage(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Files that are none of the vault's are counted, and that is all.
//
// req: V06
func TestForeignFilesAreLeftAlone(t *testing.T) {
	c := fileConfig(newDir(t))
	put(t, open(t, c), alice, "1")
	dir := filepath.Join(c.Dir, "kf")
	for _, name := range []string{"r-short", "vault.bak", "R-aaaaaaaaaaaaaaaaaaaaaaaaaa", ".DS_Store"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v := open(t, c)
	if s := v.Status(); s.Foreign != 4 || s.Records != 1 {
		t.Errorf("got %+v, want 4 foreign files", s)
	}
	reset(t, c)
	if s := v.Status(); s.Foreign != 4 || s.Records != 0 {
		t.Errorf("after Reset: got %+v, want 4 foreign files", s)
	}
}

// A vault has an end. A record that is there can still be written.
//
// req: V06
func TestNumberOfRecordsIsBounded(t *testing.T) {
	v := memoryOnly(t)
	id := alice
	for i := range 4096 {
		id.Account = string(rune('a'+i%26)) + string(rune(0x100+i))
		put(t, v, id, "1")
	}
	if _, err := v.Put(t.Context(), alice, testKey, tokenvault.PutOptions{}); !errors.Is(err, tokenvault.ErrNotWritable) {
		t.Errorf("one more: got %v, want ErrNotWritable", err)
	}
	put(t, v, id, "2")
}
