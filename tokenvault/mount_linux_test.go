package tokenvault_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/trestle-mcp/trestle/tokenvault"
)

const diskOptions = "size=512k,mode=700"

// newDisk mounts a small disk for the time of the test, or skips it where that is not
// allowed.
func newDisk(t *testing.T) string {
	t.Helper()
	at := t.TempDir()
	if err := unix.Mount("tmpfs", at, "tmpfs", 0, diskOptions); err != nil {
		t.Skipf("nothing can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(at, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return at
}

// A file system that becomes read-only is as a directory that does, to root as well.
func TestThreat19ReadOnlyMount(t *testing.T) {
	disk := newDisk(t)
	remount := func(flags uintptr) func() error {
		return func() error { return unix.Mount("tmpfs", disk, "tmpfs", unix.MS_REMOUNT|flags, diskOptions) }
	}
	// Not meanwhile: the room that a refresh has taken is a file open for writing, and keeps
	// the disk as it is.
	c := fileConfig(filepath.Join(disk, "tokens"))
	checkReadOnlyBefore(t, open(t, c), c, refuseWrites{remount(unix.MS_RDONLY), remount(0)})
}

// fill uses up the disk, and returns a function that gives the space back.
func fill(t *testing.T, disk string) (free func()) {
	t.Helper()
	path := filepath.Join(disk, "theirs")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for err == nil {
		_, err = f.Write(bytes.Repeat([]byte("x"), 4096))
	}
	if !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// A full disk is found before the token is spent, and loses nothing. What becomes full
// meanwhile has room for the answer.
//
// req: V08
func TestThreat18FullDisk(t *testing.T) {
	disk := newDisk(t)
	v := open(t, fileConfig(filepath.Join(disk, "tokens")))
	token := strings.Repeat("1", 5558)
	rev := put(t, v, alice, token)
	bob := tokenvault.ID{Service: "tests", Account: "bob", Key: alice.Key}
	free := fill(t, disk)
	for range 3 {
		_, putErr := v.Put(t.Context(), alice, tokenvault.NewSecret([]byte(token)), tokenvault.PutOptions{})
		_, newErr := v.Put(t.Context(), bob, tokenvault.NewSecret([]byte(token)), tokenvault.PutOptions{})
		_, _, refreshErr := v.Refresh(t.Context(), alice, rev, mustNot(t))
		for _, err := range []error{putErr, newErr, refreshErr} {
			e, ok := errors.AsType[*tokenvault.Error](err)
			if !ok || !errors.Is(err, tokenvault.ErrNotWritable) || e.Detail != "the disk is full" {
				t.Errorf("%v, want ErrNotWritable: full", err)
			}
		}
		if e := get(t, v, alice); e.Rev != rev || e.Value.Expose() != token {
			t.Error("the record is another one")
		}
	}
	free()

	longer := strings.Repeat("2", len(token)*3/2)
	e, _, err := v.Refresh(t.Context(), alice, rev,
		func(context.Context, tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
			free = fill(t, disk)
			return tokenvault.NewSecret([]byte(longer)), time.Time{}, nil
		})
	if err != nil || e.Value.Expose() != longer {
		t.Errorf("a disk that becomes full in a refresh: %v", err)
	}
	if e := get(t, v, alice); e.Value.Expose() != longer {
		t.Error("the new token is not stored")
	}
	if left, _ := filepath.Glob(filepath.Join(disk, "tokens", "kf", "t-*")); len(left) > 0 {
		t.Errorf("%d temps are left", len(left))
	}
	free()
	if err := v.Delete(t.Context(), alice, tokenvault.Always); err != nil {
		t.Errorf("Delete: %v", err)
	}
}
