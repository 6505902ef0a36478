package jsonrpc

import "io"

// ReadAll reads r to its end, as one message: the body of an HTTP response is one. Line
// breaks between tokens become spaces, a byte order mark before it is dropped. The
// message stays valid; a big one need not be released.
//
// A [*LineError] says that what r holds is no message, is more than one, or is longer
// than MaxLine. The rest of r is not read then. If r holds nothing but white space, the
// error is [io.ErrUnexpectedEOF]; any other error comes from r.
func ReadAll(r io.Reader, o *ReaderOptions) (*Message, error) {
	b := body{
		input: input{src: r, buf: make([]byte, bodyRead)},
		text:  newGatherer(o, readSize, chunkShift),
	}
	b.text.pool.closed = true // there is no next one
	b.text.begin()
	return b.read()
}

// bodyRead is how much of a body is read at a time. Most fit into one read.
const bodyRead = 8 << 10 // bytes

// A body is a message that ends with its source.
type body struct {
	input
	text gatherer
}

func (b *body) read() (*Message, error) {
	for b.err == nil && b.end < len(byteOrderMark) {
		b.end += b.input.read(b.buf[b.end:])
	}
	b.add(trimBOM(b.buf[:b.end]))
	for b.err == nil && b.text.window == nil { // else it was given up
		b.add(b.buf[:b.input.read(b.buf)])
	}
	if b.err != nil && b.err != io.EOF {
		b.text.drop()
		return nil, b.err
	}
	m, err := b.text.finish()
	if m == nil && err == nil {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		b.text.drop()
	}
	return m, err
}

// add takes a piece. The scan sees the line breaks, which cannot stand in a string.
func (b *body) add(piece []byte) {
	for len(piece) > 0 {
		n := lineEnd(piece)
		b.text.add(piece[:n], piece[:n])
		if n == len(piece) {
			return
		}
		if piece[n] == '\r' || piece[n] == '\n' {
			b.text.add(aSpace, aLineFeed)
			n++
		}
		piece = piece[n:]
	}
}
