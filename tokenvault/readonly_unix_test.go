//go:build unix

package tokenvault_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/reexec"
)

// refuseWrites is a way in which a vault stops being writable, and the way back.
type refuseWrites struct{ do, undo func() error }

// must fails the test at an error of its own doing.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// checkReadOnlyBefore tries a vault that cannot be written any more.
func checkReadOnlyBefore(t *testing.T, v *tokenvault.Vault, c tokenvault.Config, stop refuseWrites) {
	t.Helper()
	rev := put(t, v, alice, "1")
	must(t, stop.do())
	_, putErr := v.Put(t.Context(), alice, testKey, tokenvault.PutOptions{})
	_, _, refreshErr := v.Refresh(t.Context(), alice, rev, mustNot(t))
	deleteErr := v.Delete(t.Context(), alice, tokenvault.Always)
	for op, err := range map[string]error{"Put": putErr, "Refresh": refreshErr, "Delete": deleteErr} {
		if !errors.Is(err, tokenvault.ErrNotWritable) {
			t.Errorf("%s: %v, want ErrNotWritable", op, err)
		}
	}
	for _, v := range []*tokenvault.Vault{v, open(t, c)} {
		if e := get(t, v, alice); e.Rev != rev || e.Value.Expose() != "1" {
			t.Errorf("Get: %q, want the record as it was", e.Value.Expose())
		}
	}
	must(t, stop.undo())
	put(t, v, alice, "1")
}

// checkReadOnlyMeanwhile tries one that cannot be written any more when the token is
// spent.
func checkReadOnlyMeanwhile(t *testing.T, v *tokenvault.Vault, stop refuseWrites) {
	t.Helper()
	rev := put(t, v, alice, "1")
	e, adopted, err := v.Refresh(t.Context(), alice, rev,
		func(context.Context, tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
			return tokenvault.NewSecret([]byte("2")), time.Time{}, stop.do()
		})
	if !errors.Is(err, tokenvault.ErrNotPersisted) || adopted || e.Value.Expose() != "2" || e.Rev == rev {
		t.Errorf("in a refresh: %q, %v, want the new record and ErrNotPersisted", e.Value.Expose(), err)
	}
	if e := get(t, v, alice); e.Rev != rev {
		t.Errorf("then the record is %q, want the old one", e.Value.Expose())
	}
	must(t, stop.undo())
	_, err = v.Put(t.Context(), alice, e.Value, tokenvault.PutOptions{When: tokenvault.IfRevision(rev)})
	if err != nil {
		t.Errorf("storing it later: %v", err)
	}
	if e := get(t, v, alice); e.Value.Expose() != "2" {
		t.Errorf("at last the record is %q", e.Value.Expose())
	}
}

// A directory that cannot be written is found before the token is spent; one that
// becomes so meanwhile does not lose the new token.
//
// req: V08
func TestThreat19ReadOnlyDirectory(t *testing.T) {
	if !reexec.Nobody(t) {
		return
	}
	c := fileConfig(newDir(t))
	inner := func(mode os.FileMode) func() error {
		return func() error { return os.Chmod(filepath.Join(c.Dir, "kf"), mode) }
	}
	v, stop := open(t, c), refuseWrites{inner(0o500), inner(0o700)}
	checkReadOnlyBefore(t, v, c, stop)
	checkReadOnlyMeanwhile(t, v, stop)
}
