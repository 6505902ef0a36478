package lock

import (
	"errors"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/trestle-mcp/trestle/tokenvault/internal/dir"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// On a file system that became read-only there is nothing to write, and still to read: the
// locks work.
func TestThreat19LocksOnAReadOnlyMount(t *testing.T) {
	at := t.TempDir()
	if err := unix.Mount("tmpfs", at, "tmpfs", 0, "size=256k,mode=700"); err != nil {
		t.Skipf("nothing can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(at, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	d, err := dir.Open(filepath.Join(at, "vault"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	a, b := open(t, d), open(t, d)
	if err := unix.Mount("tmpfs", at, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, "size=256k,mode=700"); err != nil {
		t.Skipf("nothing can be mounted anew here: %v", err)
	}
	release := must(t)(a.Stripe(patient(t), 7))
	if _, err := b.Stripe(soon(t), 7); !errors.Is(err, fault.ErrBusy) {
		t.Errorf("a held stripe: %v, want ErrBusy", err)
	}
	release()
	must(t)(b.Vault(patient(t), false))()
}
