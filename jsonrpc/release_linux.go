package jsonrpc

import "syscall"

// returnPages gives the memory behind b back to the system at once. b stays usable
// and reads as zeros. Where the system refuses, as for pages larger than those of
// the Go heap, nothing happens: then it is left to the garbage collector.
func returnPages(b []byte) {
	_ = syscall.Madvise(b, syscall.MADV_DONTNEED)
}
