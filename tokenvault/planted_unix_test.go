//go:build unix

package tokenvault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/reexec"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// plantings are what somebody can put in place of a file, which is aside then.
var plantings = []struct {
	name  string
	plant func(path, aside string) error
}{
	{"a link to the file", func(path, aside string) error { return os.Symlink(aside, path) }},
	{"a link to nothing", func(path, _ string) error { return os.Symlink("nothing", path) }},
	{"a second name of the file", func(path, aside string) error { return os.Link(aside, path) }},
	{"a pipe", func(path, _ string) error { return syscall.Mkfifo(path, 0o600) }},
	{"a directory", func(path, _ string) error { return os.Mkdir(path, 0o700) }},
	{"a device", mkzero},
	{"the file, for all to read", func(path, aside string) error {
		return errors.Join(os.Rename(aside, path), os.Chmod(path, 0o644))
	}},
}

// stripeOf returns the name of the lock of a record.
func stripeOf(t *testing.T, record string) string {
	t.Helper()
	name, ok := seal.ParseName(filepath.Base(record))
	if !ok {
		t.Fatalf("%s is no record", record)
	}
	return fmt.Sprintf("l-%02x", name.Stripe())
}

// A victim is a vault with one record and a key file.
type victim struct {
	c     tokenvault.Config
	vault *tokenvault.Vault
	rev   tokenvault.Revision
	key   string
}

func newVictim(t *testing.T) *victim {
	t.Helper()
	key := filepath.Join(t.TempDir(), "key")
	if err := tokenvault.GenerateKeyFile(key); err != nil {
		t.Fatal(err)
	}
	c := tokenvault.Config{Mode: tokenvault.File, Dir: newDir(t), Key: tokenvault.KeyFromFile(key)}
	v := open(t, c)
	return &victim{c, v, put(t, v, alice, "1"), key}
}

func (v *victim) file(name string) string { return filepath.Join(v.c.Dir, "kf", name) }

// record returns the path of the record.
func (v *victim) record(t *testing.T) string {
	t.Helper()
	all := recordsIn(t, filepath.Join(v.c.Dir, "kf"))
	if len(all) != 1 {
		t.Fatalf("%d records", len(all))
	}
	return all[0]
}

// replace moves the file aside, and puts something else there. It is made a file
// first where there was none.
func replace(t *testing.T, path string, plant func(path, aside string) error) {
	t.Helper()
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	aside := filepath.Join(t.TempDir(), "aside")
	if err := os.Rename(path, aside); err != nil {
		t.Fatal(err)
	}
	if err := plant(path, aside); err != nil {
		t.Skipf("it cannot be made here: %v", err)
	}
}

// tree returns what is in a directory, by name: what it is, and which one.
func tree(t *testing.T, dir string) map[string]fs.FileInfo {
	t.Helper()
	all := map[string]fs.FileInfo{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil {
			all[path], err = e.Info()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// unchanged fails the test if something is gone, or came, or is another thing now.
func unchanged(t *testing.T, before, after map[string]fs.FileInfo) {
	t.Helper()
	for path, was := range before {
		is, ok := after[path]
		if !ok || !os.SameFile(was, is) || was.Mode() != is.Mode() {
			t.Errorf("%s was replaced or removed", filepath.Base(path))
		}
	}
	if len(after) != len(before) {
		t.Errorf("%d files before, %d now", len(before), len(after))
	}
}

// calls are all that can be asked of a vault, and opening it.
func (v *victim) calls(t *testing.T) map[string]error {
	t.Helper()
	ctx := t.Context()
	_, getErr := v.vault.Get(ctx, alice)
	_, putErr := v.vault.Put(ctx, alice, testKey, tokenvault.PutOptions{When: tokenvault.IfRevision(tokenvault.Revision{})})
	_, _, refreshErr := v.vault.Refresh(ctx, alice, tokenvault.Revision{}, mustNot(t))
	deleteErr := v.vault.Delete(ctx, alice, tokenvault.IfRevision(tokenvault.Revision{}))
	infos, listErr := v.vault.List(ctx)
	for _, i := range infos {
		listErr = errors.Join(listErr, i.Err)
	}
	v.vault.Status()
	again, openErr := tokenvault.Open(ctx, v.c)
	if openErr == nil {
		_ = again.Close()
	}
	return map[string]error{
		"Get": getErr, "Put": putErr, "Refresh": refreshErr, "Delete": deleteErr, "List": listErr, "Open": openErr,
	}
}

// What is planted in place of any file is told as damage, or left alone if it is not
// needed; it is never read, written, removed or waited for.
//
// req: V06
func TestThreat11PlantedFiles(t *testing.T) {
	damaged := tokenvault.ErrDamaged
	other := tokenvault.ErrConflict // what Put and Delete say when all is well
	tests := []struct {
		name string
		file func(t *testing.T, v *victim) string
		want map[string]error
	}{
		{"header", func(_ *testing.T, v *victim) string { return v.file("vault") }, map[string]error{
			"Get": nil, "Put": damaged, "Refresh": damaged, "Delete": damaged, "List": damaged, "Open": damaged,
		}},
		{"record", func(t *testing.T, v *victim) string { return v.record(t) }, map[string]error{
			"Get": damaged, "Put": damaged, "Refresh": damaged, "Delete": damaged, "List": damaged, "Open": nil,
		}},
		{"lock of the vault", func(_ *testing.T, v *victim) string { return v.file("l-vault") }, map[string]error{
			"Get": nil, "Put": damaged, "Refresh": damaged, "Delete": damaged, "List": nil, "Open": nil,
		}},
		{"lock of the record", func(t *testing.T, v *victim) string { return v.file(stripeOf(t, v.record(t))) }, map[string]error{
			"Get": nil, "Put": damaged, "Refresh": damaged, "Delete": damaged, "List": nil, "Open": nil,
		}},
		{"temp", func(_ *testing.T, v *victim) string { return v.file("t-0123456789abcdef") }, map[string]error{
			"Get": nil, "Put": other, "Refresh": nil, "Delete": other, "List": nil, "Open": nil,
		}},
		{"key", func(_ *testing.T, v *victim) string { return v.key }, map[string]error{
			"Get": nil, "Put": other, "Refresh": nil, "Delete": other, "List": nil, "Open": tokenvault.ErrKey,
		}},
		{"directory", func(_ *testing.T, v *victim) string { return v.file("") }, map[string]error{
			"Open": damaged, // the open vault keeps to the directory that it has
		}},
	}
	for _, test := range tests {
		for _, p := range plantings {
			if test.name == "directory" && (p.name == "a directory" || p.name == "a second name of the file") {
				continue // no plantings: Unix has no second names of directories
			}
			t.Run(test.name+"/"+p.name, func(t *testing.T) {
				v := newVictim(t)
				replace(t, filepath.Clean(test.file(t, v)), p.plant)
				before, keyBefore := tree(t, v.c.Dir), tree(t, filepath.Dir(v.key))
				reexec.Within(t, func() {
					got := v.calls(t)
					for op, want := range test.want {
						if !errors.Is(got[op], want) {
							t.Errorf("%s: %v, want %v", op, got[op], want)
						}
					}
				})
				unchanged(t, before, tree(t, v.c.Dir))
				unchanged(t, keyBefore, tree(t, filepath.Dir(v.key)))
			})
		}
	}
}
