package dir

import "golang.org/x/sys/unix"

func isNetwork(st *unix.Statfs_t) bool { return st.Flags&unix.MNT_LOCAL == 0 }
