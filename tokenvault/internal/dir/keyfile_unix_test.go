//go:build unix

package dir

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/reexec"
)

// A way to the key through a link into the vault is seen, and so is a vault that
// is itself reached by a link; another name of a key is refused as such.
//
// req: V03
func TestThreat44KeyInsideTheVaultByOtherNames(t *testing.T) {
	d := newDir(t)
	inside := filepath.Join(d.path, "key")
	if err := CreateKey(inside, keyText); err != nil {
		t.Fatal(err)
	}
	base := t.TempDir()
	link := filepath.Join(base, "link")
	if err := os.Symlink(d.path, link); err != nil {
		t.Fatal(err)
	}
	_, err := ReadKey(filepath.Join(link, "key"), d.path)
	whatIs(t, "a link to the vault", err, fault.ErrKey, fault.KeyFileInside)
	_, err = ReadKey(inside, link)
	whatIs(t, "a vault by a link", err, fault.ErrKey, fault.KeyFileInside)

	deep := filepath.Join(d.path, "deep")
	if err := os.Mkdir(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := CreateKey(filepath.Join(deep, "key"), keyText); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(deep, link+"2"); err != nil {
		t.Fatal(err)
	}
	_, err = ReadKey(filepath.Join(link+"2", "key"), d.path)
	whatIs(t, "a link to a directory in the vault", err, fault.ErrKey, fault.KeyFileInside)

	file := filepath.Join(base, "file")
	if err := os.Symlink(inside, file); err != nil {
		t.Fatal(err)
	}
	_, err = ReadKey(file, d.path)
	whatIs(t, "a link to the key", err, fault.ErrKey, fault.KeyFileInsecure)

	name := filepath.Join(base, "name")
	if err := os.Link(inside, name); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{name, inside} {
		_, err = ReadKey(path, d.path)
		whatIs(t, "two names", err, fault.ErrKey, fault.KeyFileInsecure)
	}
}

// A key file with any right of somebody else is refused.
//
// req: V03
func TestThreat45ModesOfTheKeyFile(t *testing.T) {
	path := newKey(t)
	if got := mode(t, path); got != 0o600 {
		t.Errorf("made as %v", got)
	}
	for bit := range 6 {
		extra := os.FileMode(1) << bit
		chmod(t, path, 0o400|extra)
		_, err := ReadKey(path, "")
		whatIs(t, fmt.Sprintf("mode %03o", extra), err, fault.ErrKey, fault.KeyFileInsecure)
	}
	for _, good := range []os.FileMode{0o400, 0o600, 0o700} {
		chmod(t, path, good)
		if _, err := ReadKey(path, ""); err != nil {
			t.Errorf("mode %v: %v", good, err)
		}
	}
}

// Nor is one taken, or made, where somebody else can put another in its place.
//
// req: V03
func TestThreat45DirectoriesAboveTheKeyFile(t *testing.T) {
	path := newKey(t)
	parent := filepath.Dir(path)
	defer chmod(t, parent, 0o700)
	for _, bad := range []os.FileMode{0o720, 0o702, 0o777} {
		chmod(t, parent, bad)
		_, err := ReadKey(path, "")
		whatIs(t, fmt.Sprintf("ReadKey below %03o", bad), err, fault.ErrKey, fault.KeyFileInsecure)
		err = CreateKey(path+"2", keyText)
		whatIs(t, fmt.Sprintf("CreateKey below %03o", bad), err, fault.ErrKey, fault.KeyFileInsecure)
		if _, err := os.Lstat(path + "2"); err == nil {
			t.Error("it was made")
		}
	}
	for _, good := range []os.FileMode{0o755, 0o777 | os.ModeSticky} {
		chmod(t, parent, good)
		if _, err := ReadKey(path, ""); err != nil {
			t.Errorf("below %v: %v", good, err)
		}
	}
}

// A key file is the user's or root's, and so are the directories above it.
func TestThreat45OwnerOfTheKeyFile(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	path := newKey(t)
	for _, at := range []string{path, filepath.Dir(path)} {
		chown(t, at, 65533)
		_, err := ReadKey(path, "")
		whatIs(t, "another user's", err, fault.ErrKey, fault.KeyFileInsecure)
		chown(t, at, 0)
	}
}

// What is no plain file is not read and not waited for, and stays.
func TestThreat11PlantedKeyFiles(t *testing.T) {
	for _, p := range plantings {
		t.Run(p.name, func(t *testing.T) {
			d := newDir(t)
			plant(t, d, "key", p.plant)
			path := filepath.Join(d.path, "key")
			reexec.Within(t, func() {
				_, err := ReadKey(path, "")
				whatIs(t, "ReadKey", err, fault.ErrKey, fault.KeyFileInsecure)
				whatIs(t, "CreateKey", CreateKey(path, keyText), fault.ErrKey, fault.KeyFileExists)
			})
			if got, err := os.ReadFile(filepath.Join(filepath.Dir(d.path), "theirs")); err != nil || string(got) != "theirs" {
				t.Errorf("what it leads to is %q, %v", got, err)
			}
		})
	}
}

func TestKeyFileThatCannotBeReadOrMade(t *testing.T) {
	if !reexec.Nobody(t) {
		return
	}
	path := newKey(t)
	chmod(t, path, 0)
	_, err := ReadKey(path, "")
	whatIs(t, "ReadKey", err, fault.ErrKey, fault.KeyFileUnreadable)
	parent := filepath.Dir(path)
	chmod(t, parent, 0o500)
	defer chmod(t, parent, 0o700)
	whatIs(t, "CreateKey", CreateKey(path+"2", keyText), fault.ErrNotWritable, fault.ReadOnly)
	_, err = ReadKey(strings.Repeat("/x", 3000), "")
	whatIs(t, "a path too long", err, fault.ErrKey, fault.IOFailed)
}
