package jsonrpc

import "io"

// writeSize is how many bytes a writer gathers before it writes.
const writeSize = 64 << 10

// A Writer writes messages, one a line, and each line ends in a single line
// feed. It gathers them until Flush, or until 64 KiB wait. It must not be used by
// several goroutines at once.
type Writer struct {
	dst io.Writer
	buf []byte
	err error
	big [][]byte // slices of the last big message
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{dst: w}
}

// Write writes m with the edits applied. A big message is written at once,
// without a copy of it, after what was gathered before. After an error every
// call returns that error.
func (w *Writer) Write(m *Message, edits []Edit) error {
	if m.Big() {
		return w.writeBig(m, edits)
	}
	w.buf = append(m.AppendEdited(w.buf, edits), '\n')
	return w.spill()
}

// WriteLine writes a line that the caller made, without its line feed. It must not
// hold one, nor a carriage return.
func (w *Writer) WriteLine(line []byte) error {
	w.buf = append(append(w.buf, line...), '\n')
	return w.spill()
}

// Flush writes what was gathered.
func (w *Writer) Flush() error {
	if len(w.buf) > 0 {
		w.write(w.buf)
		if w.buf = w.buf[:0]; cap(w.buf) > 2*writeSize {
			w.buf = nil
		}
	}
	return w.err
}

// spill writes what was gathered if it is much.
func (w *Writer) spill() error {
	if len(w.buf) < writeSize {
		return w.err
	}
	return w.Flush()
}

func (w *Writer) writeBig(m *Message, edits []Edit) error {
	w.big = m.AppendSlices(w.big[:0], edits)
	w.Flush()
	for _, b := range w.big {
		w.write(b)
	}
	clear(w.big) // keep no chunk alive
	w.buf = append(w.buf, '\n')
	return w.Flush()
}

func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.dst.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	w.err = err
}
