package dir

import "golang.org/x/sys/unix"

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
	return st.Flags&unix.MNT_LOCAL == 0
}
