package dir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

var keyText = []byte(strings.Repeat("0123456789abcdef", 4) + "\n")

// newKey makes a key file and returns its path.
func newKey(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	if err := CreateKey(path, keyText); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestKeyThatIsMadeIsRead(t *testing.T) {
	path := newKey(t)
	for _, notInside := range []string{"", newDir(t).path, filepath.Join(t.TempDir(), "missing")} {
		got, err := ReadKey(path, notInside)
		if err != nil || string(got) != string(keyText) {
			t.Errorf("%q, %v, want the text", got, err)
		}
	}
}

// A key that is there is never written over: there may be records that need it.
func TestKeyIsNotReplaced(t *testing.T) {
	path := newKey(t)
	whatIs(t, "CreateKey", CreateKey(path, []byte("other")), fault.ErrKey, fault.KeyFileExists)
	if got, err := os.ReadFile(path); err != nil || string(got) != string(keyText) {
		t.Errorf("the key is %q, %v", got, err)
	}
}

func TestKeyThatCannotBe(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "a", "key")
	_, err := ReadKey(missing, "")
	whatIs(t, "ReadKey of a missing one", err, fault.ErrKey, fault.KeyFileMissing)
	whatIs(t, "CreateKey in no directory", CreateKey(missing, keyText), fault.ErrNotWritable, fault.Absent)
	_, err = ReadKey("key", "")
	whatIs(t, "ReadKey of a relative path", err, fault.ErrKey, fault.Relative)
	whatIs(t, "CreateKey at a relative path", CreateKey("key", keyText), fault.ErrKey, fault.Relative)
	_, err = Open("vault")
	whatIs(t, "Open of a relative path", err, fault.ErrDamaged, fault.Relative)
}

// A key file is read up to the longest that a key can have.
func TestThreat14SizeOfAKeyFile(t *testing.T) {
	path := newKey(t)
	for _, size := range []int64{0, 1, maxKeyFile} {
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadKey(path, ""); err != nil || int64(len(got)) != size {
			t.Errorf("%d bytes, %v, want %d", len(got), err, size)
		}
	}
	for _, size := range []int64{maxKeyFile + 1, 10 << 30} {
		if err := os.Truncate(path, size); err != nil {
			t.Skipf("no such file can be made here: %v", err)
		}
		_, err := ReadKey(path, "")
		whatIs(t, "a longer file", err, fault.ErrKey, fault.KeyFileFormat)
	}
}

// A key in the directory that it locks goes into the same backup.
//
// req: V03
func TestThreat44KeyInsideTheVault(t *testing.T) {
	d := newDir(t)
	deep := filepath.Join(d.path, "kf", "deep")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{d.path, deep} {
		path := filepath.Join(dir, "key")
		if err := CreateKey(path, keyText); err != nil {
			t.Fatal(err)
		}
		_, err := ReadKey(path, d.path)
		whatIs(t, "a key inside", err, fault.ErrKey, fault.KeyFileInside)
		if _, err := ReadKey(path, filepath.Join(t.TempDir(), "other")); err != nil {
			t.Errorf("a key inside of another directory: %v", err)
		}
	}
	if other := strings.ToUpper(d.path); sameFile(other, d.path) {
		_, err := ReadKey(filepath.Join(other, "key"), d.path)
		whatIs(t, "a key inside, in other case", err, fault.ErrKey, fault.KeyFileInside)
	}
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
