package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// req: P06
func TestP06KeyFile(t *testing.T) {
	const noKey = "holds no key of 64 hex digits"
	for _, tt := range []struct {
		name string
		text string
		want string // of the error; empty: the key is taken
	}{
		{"digits alone", s3cretKey, ""},
		{"line break", s3cretKey + "\n", ""},
		{"line break of Windows", s3cretKey + "\r\n", ""},
		{"refuses nothing", "", noKey},
		{"refuses an odd number of digits", s3cretKey[1:], noKey},
		{"refuses too few digits", s3cretKey[2:], noKey},
		{"refuses one digit more", s3cretKey + "0", noKey},
		{"refuses two digits more", s3cretKey + "00", noKey},
		{"refuses a second line break", s3cretKey + "\n\n", noKey},
		{"refuses space in front", " " + s3cretKey, noKey},
		{"refuses another letter", "g" + s3cretKey[1:], noKey},
		{"refuses 32 bytes as they are", strings.Repeat("\x01", 32), noKey},
		{"refuses more than a key", s3cretKey + strings.Repeat("0", 1<<10), "the file is too long"},
	} {
		t.Run(tt.name, func(t *testing.T) { testKeyFile(t, keyFile(t, tt.text, 0o600), tt.want) })
	}
	t.Run("refuses a file that is not there", func(t *testing.T) {
		testKeyFile(t, filepath.Join(t.TempDir(), "s3cret"), "there is no such file")
	})
	t.Run("refuses a folder", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "s3cret")
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		testKeyFile(t, path, "takes a regular file")
	})
}

// testKeyFile runs a command line that names the file, and checks the whole line that
// says what is wrong with it, which does not repeat the path.
func testKeyFile(t *testing.T, path, want string) {
	t.Helper()
	code, stdout, stderr := run(t, "status", "--token-dir", filepath.Join(t.TempDir(), "s3cret"), "--token-key-file", path)
	if want == "" {
		if code != exitOK || stdout != "store none\n" || stderr != "" {
			t.Errorf("Run = code %d, stdout %q, stderr %q; want no sign-ins", code, stdout, stderr)
		}
		return
	}
	line := name + ": --token-key-file: " + want + " (" + name + " status --help shows the usage)\n"
	if code != exitUsage || stdout != "" || stderr != line {
		t.Errorf("Run = code %d, stdout %q, stderr %q; want code 2 and %q", code, stdout, stderr, line)
	}
}
