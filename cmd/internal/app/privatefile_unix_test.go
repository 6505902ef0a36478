//go:build unix

package app

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// req: P06
func TestP06KeyFileIsPrivate(t *testing.T) {
	const others = "others may use the file; make it private with chmod 600"
	for _, tt := range []struct {
		mode os.FileMode
		want string
	}{
		{0o600, ""}, {0o400, ""}, {0o700, ""},
		{0o640, others}, {0o620, others}, {0o610, others}, {0o604, others}, {0o602, others}, {0o601, others}, {0o644, others}, {0o666, others},
	} {
		t.Run(tt.mode.String(), func(t *testing.T) { testKeyFile(t, keyFile(t, s3cretKey, tt.mode), tt.want) })
	}
}

// req: P06
func TestP06KeyFileIsAFile(t *testing.T) {
	const link = "cannot be opened; it takes a file that is yours and no link"
	t.Run("refuses a link", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(keyFile(t, s3cretKey, 0o600), path); err != nil {
			t.Fatal(err)
		}
		testKeyFile(t, path, link)
	})
	t.Run("refuses a pipe, without a wait for its writer", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		testKeyFile(t, path, "takes a regular file")
	})
	t.Run("refuses a device", func(t *testing.T) { testKeyFile(t, "/dev/zero", "takes a regular file") })
}
