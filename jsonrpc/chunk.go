package jsonrpc

import "sync/atomic"

// A chunkList is the text of a big line: chunks of equal size, the last one
// partly filled, with a count of holders.
type chunkList struct {
	shift   uint // a chunk has 1<<shift bytes
	chunks  [][]byte
	n       int // bytes in all chunks
	pool    *chunkPool
	holders atomic.Int32
}

// seg returns the bytes from offset i to the end of its chunk.
func (l *chunkList) seg(i int) []byte {
	return l.chunks[i>>l.shift][i&(1<<l.shift-1):]
}

// at returns the byte at offset i.
func (l *chunkList) at(i int) byte {
	return l.chunks[i>>l.shift][i&(1<<l.shift-1)]
}

// room returns where the next bytes go, taking a chunk when the last is full.
func (l *chunkList) room() []byte {
	if l.n == len(l.chunks)<<l.shift {
		l.chunks = append(l.chunks, l.pool.take(1<<l.shift))
	}
	return l.seg(l.n)
}

// add appends b.
func (l *chunkList) add(b []byte) {
	for len(b) > 0 {
		n := copy(l.room(), b)
		l.n += n
		b = b[n:]
	}
}

// endsInCR reports whether the last byte is a carriage return.
func (l *chunkList) endsInCR() bool { return l.n > 0 && l.at(l.n-1) == '\r' }

// trim gives back the chunks behind the text, and cuts what is unused from the last
// one.
func (l *chunkList) trim() {
	full, rest := l.n>>l.shift, l.n&(1<<l.shift-1)
	used := full
	if rest > 0 {
		l.chunks[full] = l.chunks[full][:rest]
		used++
	}
	if used < len(l.chunks) {
		l.pool.give(l.chunks[used:])
		l.chunks = l.chunks[:used]
	}
}

// release gives up one hold; the last one gives the chunks back.
func (l *chunkList) release() {
	switch n := l.holders.Add(-1); {
	case n == 0:
		l.pool.give(l.chunks)
		l.chunks = nil
	case n < 0:
		panic("jsonrpc: Release without Hold")
	}
}

// Hold keeps the chunks of a big message for one more holder. A message that is
// not [Message.Big] cannot be held: copy it.
func (m *Message) Hold() {
	if m.big == nil {
		panic("jsonrpc: Hold of a message that is not big")
	}
	if m.big.holders.Add(1) < 2 {
		panic("jsonrpc: Hold of a message that is no longer valid")
	}
}

// Release gives up one Hold. The last one gives the chunks back.
func (m *Message) Release() {
	if m.big == nil {
		panic("jsonrpc: Release of a message that is not big")
	}
	m.big.release()
}
