package jsonrpc

import "syscall"

// returnPages gives the memory behind b back to the system at once. b stays usable
// and reads as zeros. It does so only if b is whole pages: the system rounds a length
// up, and what lies behind b in its last page belongs to somebody else. Where b does
// not begin at a page, which may be larger than one of the Go heap, the system
// refuses; then it is left to the garbage collector.
func returnPages(b []byte) {
	if len(b) > 0 && len(b)%syscall.Getpagesize() == 0 {
		_ = syscall.Madvise(b, syscall.MADV_DONTNEED)
	}
}
