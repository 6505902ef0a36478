package dir

import "golang.org/x/sys/unix"

func mkdevice(path string, major, minor uint32) error {
	return unix.Mknod(path, unix.S_IFCHR|0o600, int(unix.Mkdev(major, minor)))
}
