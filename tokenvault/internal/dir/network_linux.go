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

func isNetwork(st *unix.Statfs_t) bool { return networkKinds[uint32(st.Type)] }
