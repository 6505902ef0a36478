//go:build !linux

package jsonrpc

// returnPages does nothing: package syscall offers no way here to give back a part of
// the Go heap, so that is left to the garbage collector.
func returnPages([]byte) {}
