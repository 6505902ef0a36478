//go:build linux || darwin

package dir

import "golang.org/x/sys/unix"

// networkFS takes a file system that tells nothing of itself for one of a network.
func networkFS(d *Dir) bool {
	f, err := d.root.Open(".")
	if err != nil {
		return true
	}
	defer f.Close()
	var st unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &st); err != nil {
		return true
	}
	return isNetwork(&st)
}
