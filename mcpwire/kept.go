package mcpwire

import (
	"math"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A kept request of the front is there until it ends, to be sent again under a new
// id (T17, T130). A small line is copied, the chunks of a big one are held.
type kept struct {
	line []byte           // the copy; empty if there is none
	big  *jsonrpc.Message // held; nil if there is none
	size int              // bytes that count as held
}

// keep takes a request. spare is memory for the copy of one that is longer than
// k.line can take.
func (k *kept) keep(m *jsonrpc.Message, spare *spares) {
	k.size = m.Len()
	if m.Big() {
		m.Hold()
		k.big = m
		return
	}
	if k.size > max(cap(k.line), maxKept) {
		k.line = spare.take()
	}
	k.line = m.AppendSpan(k.line[:0], jsonrpc.Span{End: k.size})
}

// message returns the request that was kept. Its line was read before, by a reader of
// the caller, so what any reader takes is taken here; only one that records other
// members than [Members] could have taken more.
func (k *kept) message() (*jsonrpc.Message, error) {
	if k.big != nil {
		return k.big, nil
	}
	return jsonrpc.Parse(k.line, &jsonrpc.ReaderOptions{
		Members: memberNames[:], MaxLine: len(k.line), MaxDepth: math.MaxInt, AllowLoneSurrogates: true,
	})
}

// release gives the request up.
func (k *kept) release(spare *spares) {
	if k.big != nil {
		k.big.Release()
	}
	line := k.line
	if cap(line) > maxKept {
		spare.give(line)
		line = nil
	}
	*k = kept{line: line[:0]}
}

// spares is memory for copies of requests that are longer than what a slot keeps,
// so that such a request, too, allocates nothing.
type spares [][]byte

// maxSpares is how many copies' memory is kept, and maxSpare how much of one, in
// bytes: a longer line than that is seldom, since it lies in chunks.
const (
	maxSpares = 16
	maxSpare  = 64 << 10
)

func (s *spares) take() []byte {
	n := len(*s)
	if n == 0 {
		return nil
	}
	b := (*s)[n-1]
	*s = (*s)[:n-1]
	return b
}

func (s *spares) give(b []byte) {
	if len(*s) < maxSpares && cap(b) <= 2*maxSpare {
		*s = append(*s, b[:0])
	}
}
