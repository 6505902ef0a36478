package demo

import "io"

// An endpoint is one end of a stream in memory. Each direction can be ended alone.
type endpoint struct {
	*io.PipeReader
	w *io.PipeWriter
}

// duplex returns the two ends of a stream: what is written to one is read from the
// other.
func duplex() (a, b *endpoint) {
	aIn, bOut := io.Pipe()
	bIn, aOut := io.Pipe()
	return &endpoint{aIn, aOut}, &endpoint{bIn, bOut}
}

func (e *endpoint) Write(p []byte) (int, error) { return e.w.Write(p) }

// CloseWrite ends the direction to the other end, which reads io.EOF.
func (e *endpoint) CloseWrite() error { return e.w.Close() }

// Close ends both directions and makes blocked calls return.
func (e *endpoint) Close() error {
	e.w.Close()
	return e.PipeReader.Close()
}
