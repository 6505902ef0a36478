package jsonrpc

import "io"

// An input is a source and the buffer that it is read into.
type input struct {
	src      io.Reader
	buf      []byte
	pos, end int   // buf[pos:end] was read but not handed out
	err      error // of src; the bytes before it come first
}

// read reads at least one byte, or sets err.
func (r *input) read(b []byte) int {
	const maxEmptyReads = 100
	for range maxEmptyReads {
		n, err := r.src.Read(b)
		if n < 0 || n > len(b) {
			panic("jsonrpc: underlying reader returned an impossible count")
		}
		r.err = err
		if n > 0 || err != nil {
			return n
		}
	}
	r.err = io.ErrNoProgress
	return 0
}
