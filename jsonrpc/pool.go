package jsonrpc

import (
	"runtime"
	"sync"
	"time"
)

const (
	maxFree    = 256              // chunks kept for the next big line
	idleFree   = 4                // chunks kept while nothing big comes
	idleAfter  = 10 * time.Second // how long that is
	worthAGC   = 32               // chunks whose memory is worth a garbage collection
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
	switch {
	case len(p.free) <= idleFree:
	case p.idle == nil:
		p.idle = time.AfterFunc(idleAfter, p.shrink)
	default:
		p.idle.Reset(idleAfter)
	}
}

// shrink drops most chunks. They are many, so the next garbage collection may be
// minutes away: an idle process allocates nothing that would bring it about.
func (p *chunkPool) shrink() {
	if p.keep(idleFree) >= worthAGC {
		runtime.GC()
	}
}

// keep drops all but n free chunks and returns how many that were.
func (p *chunkPool) keep(n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	dropped := len(p.free) - n
	if dropped <= 0 {
		return 0
	}
	clear(p.free[n:])
	p.free = p.free[:n:n]
	return dropped
}

// close drops all chunks, and those that come back later.
func (p *chunkPool) close() {
	p.keep(0)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.idle != nil {
		p.idle.Stop()
	}
}
