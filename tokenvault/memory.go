package tokenvault

import (
	"context"
	"hash/maphash"
	"maps"
	"slices"
	"sync"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// memory is the shelf of mode Memory. Its locks are striped like those of files: a
// record waits for few others, and a lock is never made or thrown away.
type memory struct {
	seed    maphash.Seed
	stripes [64]chan struct{} // full: taken

	mu      sync.Mutex
	records map[seal.ID]kept
}

// A kept record has its value where nothing prints it.
type kept struct {
	about seal.Record // without a value
	value Secret
}

func newMemory() *memory {
	m := &memory{seed: maphash.MakeSeed(), records: map[seal.ID]kept{}}
	for i := range m.stripes {
		m.stripes[i] = make(chan struct{}, 1)
	}
	return m
}

func (m *memory) hold(ctx context.Context, id seal.ID) (release func(), err error) {
	stripe := m.stripes[maphash.Comparable(m.seed, id)%uint64(len(m.stripes))]
	select {
	case stripe <- struct{}{}:
		return func() { <-stripe }, nil
	case <-ctx.Done():
		if ctx.Err() == context.DeadlineExceeded {
			return nil, fault.New(fault.ErrBusy, "", ctx.Err())
		}
		return nil, ctx.Err()
	}
}

func (m *memory) read(_ context.Context, id seal.ID) (seal.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.records[id]
	if !ok {
		return seal.Record{}, fault.New(fault.ErrNotFound, "", nil)
	}
	return k.record(), nil
}

func (m *memory) write(r seal.Record) error {
	if err := r.Check(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	before, ok := m.records[r.ID]
	if !ok && len(m.records) >= maxRecords {
		return fault.New(fault.ErrNotWritable, fault.Full, nil)
	}
	m.records[r.ID] = keep(r)
	before.value.Destroy()
	return nil
}

func (m *memory) reserve(seal.Record) (room, error) { return memoryRoom{m}, nil }

func (m *memory) remove(id seal.ID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.records[id].value.Destroy()
	delete(m.records, id)
	return nil
}

func (m *memory) list(context.Context) ([]listed, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []listed
	for _, k := range m.records {
		all = append(all, listed{record: k.about})
	}
	return all, nil
}

func (m *memory) fill(s *Status) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.Records = len(m.records)
}

func (m *memory) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.records {
		k.value.Destroy()
	}
	clear(m.records)
	return nil
}

// keep shares neither the value nor the meta data with r.
func keep(r seal.Record) kept {
	k := kept{r, NewSecret(r.Value)}
	k.about.Value, k.about.Meta = nil, maps.Clone(r.Meta)
	return k
}

// record shares nothing with k.
func (k kept) record() seal.Record {
	r := k.about
	r.Value, r.Meta = slices.Clone(k.value.held()), maps.Clone(r.Meta)
	return r
}

// A memoryRoom is the space for one record, of which memory always has enough.
type memoryRoom struct{ *memory }

func (r memoryRoom) commit(next seal.Record) error { return r.write(next) }
func (memoryRoom) drop()                           {}
