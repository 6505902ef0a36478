package dir

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// mount mounts for the time of the test, or skips it where that is not allowed.
func mount(t *testing.T, source, kind string, flags uintptr, options string) string {
	t.Helper()
	at := t.TempDir()
	if err := unix.Mount(source, at, kind, flags, options); err != nil {
		t.Skipf("nothing can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(at, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return at
}

// fill writes records until the disk is full, and returns their names.
func fill(t *testing.T, d *Dir) []string {
	t.Helper()
	var names []string
	for i := range 1000 {
		name := "r-" + strconv.Itoa(i)
		err := d.Write(name, bytes.Repeat([]byte{'x'}, 4096))
		if err != nil {
			whatIs(t, "the last write", err, fault.ErrNotWritable, fault.DiskFull)
			return names
		}
		names = append(names, name)
	}
	t.Fatal("the disk does not become full")
	return nil
}

// A full disk is found when room is asked for, and nothing that was there is lost.
func TestThreat18FullDisk(t *testing.T) {
	d, err := Open(filepath.Join(mount(t, "tmpfs", "tmpfs", 0, "size=256k,mode=700"), "vault"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	early, err := d.Reserve(8192)
	if err != nil {
		t.Fatal(err)
	}
	names := fill(t, d)
	if len(temps(t, d)) != 1 {
		t.Errorf("temps %q, want the reserved one", temps(t, d))
	}
	_, err = d.Reserve(8192)
	whatIs(t, "Reserve", err, fault.ErrNotWritable, fault.DiskFull)
	for range 3 {
		err := d.Write(names[0], bytes.Repeat([]byte{'y'}, 8192))
		whatIs(t, "Write", err, fault.ErrNotWritable, fault.DiskFull)
	}
	if err := early.Commit(record, bytes.Repeat([]byte{'z'}, 8192)); err != nil {
		t.Errorf("Commit into room that was had before: %v", err)
	}
	for _, name := range names {
		if got, err := d.Read(name); err != nil || !bytes.Equal(got, bytes.Repeat([]byte{'x'}, 4096)) {
			t.Errorf("a record is %d bytes, %v", len(got), err)
		}
	}
	if len(temps(t, d)) != 0 {
		t.Errorf("temps %q are left", temps(t, d))
	}
}

// Some file systems have room for bytes and none for names.
func TestThreat18NoRoomForNames(t *testing.T) {
	d, err := Open(filepath.Join(mount(t, "tmpfs", "tmpfs", 0, "nr_inodes=4,mode=700"), "vault"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	fill(t, d)
	_, err = d.Reserve(1)
	whatIs(t, "Reserve", err, fault.ErrNotWritable, fault.DiskFull)
}

// A file system that became read-only is told as such, to root as well.
func TestThreat19ReadOnlyMount(t *testing.T) {
	at := mount(t, "tmpfs", "tmpfs", 0, "size=256k,mode=700")
	d, err := Open(filepath.Join(at, "vault"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	if err := d.Write(record, older); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", at, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, "size=256k,mode=700"); err != nil {
		t.Skipf("nothing can be mounted anew here: %v", err)
	}
	_, err = d.Reserve(1)
	whatIs(t, "Reserve", err, fault.ErrNotWritable, fault.ReadOnly)
	whatIs(t, "Write", d.Write(record, newer), fault.ErrNotWritable, fault.ReadOnly)
	whatIs(t, "Remove", d.Remove(record), fault.ErrNotWritable, fault.ReadOnly)
	_, err = Open(filepath.Join(at, "vault", "new"))
	whatIs(t, "Open", err, fault.ErrNotWritable, fault.ReadOnly)
	if got, err := d.Read(record); err != nil || !bytes.Equal(got, older) {
		t.Errorf("%q, %v, want the record as it was", got, err)
	}
}

// Many files of somebody else are only names.
func TestThreat14ManyForeignFiles(t *testing.T) {
	d, err := Open(filepath.Join(mount(t, "tmpfs", "tmpfs", 0, "nr_inodes=200000,mode=700"), "vault"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	if err := d.Write(record, older); err != nil {
		t.Fatal(err)
	}
	const foreign = 100_000
	for i := range foreign {
		if err := d.Touch("f" + strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	names, err := d.Names()
	if err != nil || len(names) != foreign+1 {
		t.Errorf("%d names, %v, want %d", len(names), err, foreign+1)
	}
	if err := d.Sweep(longAfter()); err != nil {
		t.Error(err)
	}
	if got, err := d.Read(record); err != nil || !bytes.Equal(got, older) {
		t.Errorf("%q, %v, want the record", got, err)
	}
}

// A vault that is mounted at a second place is still the vault.
func TestThreat44KeyInsideTheVaultByAMount(t *testing.T) {
	d := newDir(t)
	if err := os.Mkdir(filepath.Join(d.path, "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := CreateKey(filepath.Join(d.path, "deep", "key"), keyText); err != nil {
		t.Fatal(err)
	}
	at := mount(t, d.path, "", unix.MS_BIND, "")
	_, err := ReadKey(filepath.Join(at, "deep", "key"), d.path)
	whatIs(t, "a key by a mount", err, fault.ErrKey, fault.KeyFileInside)
}

// Local disks are no network; what serves files from elsewhere is known by its kind.
func TestThreat53KindsOfFileSystems(t *testing.T) {
	if d := newDir(t); d.NetworkFS() && !networkKinds[kindOf(t, d.path)] {
		t.Error("a local directory is taken for one of a network")
	}
	for _, kind := range []uint32{0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x01021997, 0x65735546} {
		if !networkKinds[kind] {
			t.Errorf("%#x is not known", kind)
		}
	}
	closed := newDir(t)
	_ = closed.Close()
	if !closed.NetworkFS() {
		t.Error("what cannot be told is taken for local")
	}
}

func kindOf(t *testing.T, path string) uint32 {
	t.Helper()
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		t.Fatal(err)
	}
	return uint32(st.Type)
}
