package dir

import "golang.org/x/sys/unix"

// The kinds of file systems, as statfs tells them, behind which are other machines
// or a program of a user.
var networkKinds = map[uint32]bool{
	unix.NFS_SUPER_MAGIC:   true,
	unix.SMB_SUPER_MAGIC:   true,
	unix.SMB2_SUPER_MAGIC:  true,
	unix.CIFS_SUPER_MAGIC:  true,
	unix.V9FS_MAGIC:        true,
	unix.FUSE_SUPER_MAGIC:  true,
	unix.AFS_FS_MAGIC:      true,
	unix.AFS_SUPER_MAGIC:   true,
	unix.CEPH_SUPER_MAGIC:  true,
	unix.CODA_SUPER_MAGIC:  true,
	unix.NCP_SUPER_MAGIC:   true,
	unix.OCFS2_SUPER_MAGIC: true,
}

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
	return networkKinds[uint32(st.Type)]
}
