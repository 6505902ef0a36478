package mcpwire

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A phase is where a request stands.
type phase uint8

const (
	phaseFree        phase = iota
	phaseWaiting           // sent upstream
	phaseAnswering         // the upstream's answer to it is being shaped
	phaseToAsk             // its questions must not go to the front yet
	phaseAsking            // its questions wait for the front
	phaseReplying          // the front's answer to one of them is being read
	phaseIndexing          // nothing of it went upstream, and another request reads the list of tools first (T199)
	phasePausing           // it waits before it goes upstream again
	phaseSubscribing       // waits for a stream of notifications; nothing of it went upstream (T162)
	phaseReopening         // waits for the session with an older upstream to be opened anew (L10)
	phaseEnded             // ended while its answer was being shaped; free when that comes back
)

// A slot is the record of one request of the front that is in flight.
type slot struct {
	number    int
	phase     phase
	front     []byte // the raw id of the front
	hash      uint32 // of front
	upstream  Exchange
	probe     Exchange // server/discover, which waits beside initialize (L1); else zero
	method    *method
	started   time.Time
	arrival   uint64    // counts requests: the order in which they came
	timed     bool      // its timer runs
	due       time.Time // when that ends
	quiet     bool      // cancelled by the end of the input: nothing is written unless the upstream answers (T21)
	page      pageKey   // of a list
	progress  progress
	uri       []byte       // of resources/read, as it went upstream (T90, W21)
	frontURI  []byte       // what the front had there, in JSON, if that is another one (W21)
	request   kept         // the line of the front, to send it again
	again     bool         // that was done
	params    Headers      // of its arguments (T200)
	listing   *toolListing // what it reads of the list of tools; nil if it does not (T199)
	looked    bool         // it has waited for that
	unsent    bool         // it did not reach the upstream, and is sent again (U10)
	admission Admission
	refresh   bool // it was refused for its headers, and the list was to be read again (T198)
	rounds    rounds
	shape     Shape
}

// asks returns the method that it has upstream.
func (s *slot) asks() string {
	if s.listing != nil {
		return methodListTools
	}
	return s.method.name
}

// own reports whether it is a request of the session's own, for which nobody of the front
// waits.
func (s *slot) own() bool { return len(s.front) == 0 }

// A table holds the slots.
type table struct {
	slots      [maxInFlight]slot
	free       []int // numbers of free slots, the next one last
	byFront    index
	byUpstream index
	spares     spares
	arrivals   uint64 // requests so far
	held       int    // bytes of the requests that are kept
}

func newTable() *table {
	t := &table{free: make([]int, maxInFlight)}
	for i := range t.slots {
		t.slots[i].number = i
		t.free[maxInFlight-1-i] = i
	}
	return t
}

// used returns the number of slots that are taken.
func (t *table) used() int { return maxInFlight - len(t.free) }

// take returns a slot for the request with this raw id, which goes upstream under
// ex, or not at all if that is zero. There must be a free one.
func (t *table) take(id []byte, ex Exchange, now time.Time) *slot {
	s := &t.slots[t.free[len(t.free)-1]]
	t.free = t.free[:len(t.free)-1]
	t.arrivals++
	s.phase, s.started, s.upstream, s.arrival = phaseWaiting, now, ex, t.arrivals
	s.front = append(s.front[:0], id...)
	s.hash = hashID(id)
	t.byFront.put(s.hash, s.number)
	t.byUpstream.put(uint32(ex), s.number)
	return s
}

// fork gives s a second request upstream beside the one that it has.
func (t *table) fork(s *slot, ex Exchange) {
	s.probe, s.upstream = s.upstream, ex
	t.byUpstream.put(uint32(ex), s.number)
}

// join leaves s with one of its two requests upstream.
func (t *table) join(s *slot, stays Exchange) {
	goes := s.probe
	if stays == goes {
		goes = s.upstream
	}
	t.byUpstream.remove(uint32(goes), s.number)
	s.upstream, s.probe = stays, 0
}

// hold counts bytes that are held for s until it ends, beside its request.
func (t *table) hold(s *slot, bytes int) {
	s.rounds.held += bytes
	t.held += bytes
}

// keep keeps the request of s until it ends.
func (t *table) keep(s *slot, m *jsonrpc.Message) {
	s.request.keep(m, &t.spares)
	t.held += s.request.size
}

// release gives the slot back; its ids may be used again at once. A slot whose
// shape is being run, which reads the slot outside the lock, is kept as it is
// until the shape is back.
func (t *table) release(s *slot) {
	t.byFront.remove(s.hash, s.number)
	t.byUpstream.remove(uint32(s.upstream), s.number)
	if s.probe != 0 {
		t.byUpstream.remove(uint32(s.probe), s.number)
	}
	if s.phase == phaseAnswering || s.phase == phaseReplying {
		s.phase = phaseEnded
		return
	}
	t.held -= s.request.size + s.rounds.held
	s.request.release(&t.spares)
	*s = slot{
		number: s.number, front: emptied(s.front), uri: emptied(s.uri), frontURI: emptied(s.frontURI), shape: s.shape,
		request:  s.request,
		progress: progress{token: emptied(s.progress.token), held: emptied(s.progress.held)},
	}
	s.shape.forget()
	t.free = append(t.free, s.number)
}

// maxKept is the longest id, name or line whose memory is kept for the next one, in
// bytes.
const maxKept = 4 << 10

// emptied returns b without its content, for another use unless it is large.
func emptied(b []byte) []byte {
	if cap(b) > maxKept {
		return nil
	}
	return b[:0]
}

// ofFront returns the slot of the request with this raw id of the front, or nil.
// Ids are compared as tokens, so 1 and "1" differ (T5).
func (t *table) ofFront(id []byte) *slot {
	return t.at(t.byFront.each(hashID(id), func(n int) bool { return bytes.Equal(t.slots[n].front, id) }))
}

// ofUpstream returns the slot whose request went upstream under ex, or nil.
func (t *table) ofUpstream(ex Exchange) *slot {
	if ex == 0 { // of a request that did not go upstream
		return nil
	}
	return t.at(t.byUpstream.each(uint32(ex), func(int) bool { return true }))
}

func (t *table) at(n int) *slot {
	if n < 0 {
		return nil
	}
	return &t.slots[n]
}

// hashID is FNV-1a. Ids come from the front, which has no reason to make them
// collide.
func hashID(id []byte) uint32 {
	h := uint32(2166136261)
	for _, b := range id {
		h = (h ^ uint32(b)) * 16777619
	}
	return h
}

// each calls f for each request in flight, in the order in which they came.
func (t *table) each(f func(s *slot)) {
	var order []*slot
	for i := range t.slots {
		if p := t.slots[i].phase; p != phaseFree && p != phaseEnded {
			order = append(order, &t.slots[i])
		}
	}
	slices.SortFunc(order, func(a, b *slot) int { return cmp.Compare(a.arrival, b.arrival) })
	for _, s := range order {
		f(s)
	}
}
