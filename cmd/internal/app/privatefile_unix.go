//go:build unix

package app

import (
	"io/fs"
	"syscall"
)

// privateFileFlags open no link, and do not wait for the other end of a pipe.
const privateFileFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// isPrivate reports whether the group and others have no rights to a file.
func isPrivate(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 == 0 }
