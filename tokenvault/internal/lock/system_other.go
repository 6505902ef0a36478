//go:build !unix && !windows

package lock

const openFlags = 0

func isNoLocks(error) bool { return true }

func isLink(error) bool { return false }

func isReadOnly(error) bool { return false }
