package tokenvault

import (
	"slices"
	"sync"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// The marks are the newest revisions that this process has seen, so that a file of
// an earlier time, put back by somebody, is not taken for the record.
type marks struct {
	mu     sync.Mutex
	newest map[seal.ID]mark
}

// A mark is the newest revision of a record, and the incarnations before it. The
// zero mark knows nothing.
type mark struct {
	rev  Revision
	gone [][8]byte // only appended to
}

// before returns what was known of a record. A read that begins later finds nothing
// older, if all is well.
func (m *marks) before(id seal.ID) mark {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.newest[id]
}

// see takes notice of a record that was read after known was taken.
func (m *marks) see(known mark, r seal.Record) error {
	if slices.Contains(known.gone, r.Incarnation) || r.Incarnation == known.rev.incarnation && r.Counter < known.rev.counter {
		return fault.New(fault.ErrDamaged, fault.RolledBack, nil)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.newest[r.ID]
	switch {
	case now.rev.incarnation == r.Incarnation:
		now.rev.counter = max(now.rev.counter, r.Counter)
	case now.rev == known.rev:
		now = now.then(revisionOf(r))
	default: // somebody has seen more since; whether r is older than that is not known
		return nil
	}
	m.set(r.ID, now)
	return nil
}

// wrote takes notice of a record that was written under its lock.
func (m *marks) wrote(r seal.Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.newest[r.ID]
	if now.rev.incarnation != r.Incarnation {
		now = now.then(revisionOf(r))
	}
	now.rev = revisionOf(r)
	m.set(r.ID, now)
}

// removed takes notice of a record that was deleted under its lock.
func (m *marks) removed(id seal.ID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now, ok := m.newest[id]; ok {
		m.set(id, now.then(Revision{}))
	}
}

func (m *marks) set(id seal.ID, now mark) {
	if m.newest == nil {
		m.newest = map[seal.ID]mark{}
	}
	m.newest[id] = now
}

// then returns the mark of a later incarnation.
func (m mark) then(rev Revision) mark {
	if m.rev != (Revision{}) {
		m.gone = append(slices.Clip(m.gone), m.rev.incarnation)
	}
	m.rev = rev
	return m
}
