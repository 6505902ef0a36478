package jsonrpc

import (
	"runtime/debug"
	"sync"
	"time"
)

const (
	maxFree    = 256              // chunks kept for the next big line
	idleAfter  = 10 * time.Second // how long they are kept
	worthIt    = 32               // chunks whose memory is worth a garbage collection
	chunkShift = 18               // chunks have 256 KiB
)

// A chunkPool keeps chunks of one size for the next big line. Memory that is used
// again costs a fraction of fresh memory, and two big lines in a row take no more
// than one.
type chunkPool struct {
	mu     sync.Mutex // guards the fields below
	free   [][]byte
	idle   *time.Timer
	closed bool // nothing is kept any more
}

// take returns a chunk with size bytes of any content.
func (p *chunkPool) take(size int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		c := p.free[n-1]
		p.free[n-1] = nil
		p.free = p.free[:n-1]
		return c
	}
	return make([]byte, size)
}

// give takes chunks back.
func (p *chunkPool) give(chunks [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	for _, c := range chunks[:min(len(chunks), maxFree-len(p.free))] {
		p.free = append(p.free, c[:cap(c)])
	}
	if p.idle == nil {
		p.idle = time.AfterFunc(idleAfter, p.rest)
	} else {
		p.idle.Reset(idleAfter)
	}
}

// rest drops the chunks when nothing big came for a while. An idle process
// allocates nothing, so the next garbage collection may be minutes away, and it was
// paced for a heap with the chunks in it. If they were many, it is brought about
// here, and all that it frees goes back to the system.
//
// The pages of the chunks go back first, by themselves: the runtime may pass over
// free memory that its background scavenger has looked at in the same cycle, which
// was up to 3 MiB in one process of four.
func (p *chunkPool) rest() {
	chunks := p.drop()
	for _, c := range chunks {
		returnPages(c)
	}
	if len(chunks) >= worthIt {
		debug.FreeOSMemory()
	}
}

// drop drops the free chunks and returns them.
func (p *chunkPool) drop() [][]byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	chunks := p.free
	p.free = nil
	return chunks
}

// close drops all chunks, and those that come back later.
func (p *chunkPool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free, p.closed = nil, true
	if p.idle != nil {
		p.idle.Stop()
	}
}
