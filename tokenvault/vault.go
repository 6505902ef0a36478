package tokenvault

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// maxRecords is how many records a vault holds.
const maxRecords = 4096

// A Vault is the Store of this package. Open returns one.
type Vault struct {
	kind     Mode
	prompt   Prompt
	skipped  []Skip
	timeouts Timeouts
	shelf    shelf
	marks    marks
	now      func() time.Time

	// closing ends when Close begins: what waits for a lock gives up then.
	closing context.Context
	close   context.CancelFunc

	mu     sync.Mutex
	closed bool
	calls  sync.WaitGroup
	runs   map[runKey]*run
	gone   chan struct{} // closed when the shelf is
}

var _ Store = (*Vault)(nil)

func newVault(kind Mode, c Config, s shelf) *Vault {
	closing, cancel := context.WithCancel(context.Background())
	return &Vault{
		kind: kind, prompt: c.Prompt, timeouts: c.Timeouts, shelf: s,
		now: time.Now, closing: closing, close: cancel, runs: map[runKey]*run{}, gone: make(chan struct{}),
	}
}

// Get returns the record, or ErrNotFound.
func (v *Vault) Get(ctx context.Context, id ID) (Entry, error) {
	done, err := v.enter(ctx)
	if err != nil {
		return Entry{}, v.fail("get", err)
	}
	defer done()
	r, err := v.read(ctx, seal.ID(id))
	if err != nil {
		return Entry{}, v.fail("get", err)
	}
	return entryOf(r), nil
}

// Put writes the record if the condition holds, and returns its revision. Where
// there is none with the revision of IfRevision, the error is ErrConflict, or
// ErrNotFound if there is none at all. A damaged record is not written over.
//
// ErrNotPersisted comes with the revision of a record that is in place, but may not
// outlive a loss of power.
func (v *Vault) Put(ctx context.Context, id ID, value Secret, o PutOptions) (Revision, error) {
	r := seal.Record{ID: seal.ID(id), ExpiresAt: o.ExpiresAt, Label: o.Label, Meta: o.Meta}
	err := v.hold(ctx, r.ID, func() error {
		before, err := v.read(ctx, r.ID)
		defer clear(before.Value)
		if r, err = v.next(r, before, err, o.When); err != nil {
			return err
		}
		return value.Use(func(b []byte) error {
			r.Value = b
			return v.wrote(r, v.shelf.write(r))
		})
	})
	if err != nil && !errors.Is(err, fault.ErrNotPersisted) {
		return Revision{}, v.fail("put", err)
	}
	return revisionOf(r), v.fail("put", err)
}

// next gives r the revision behind the one that is there, if the condition holds.
func (v *Vault) next(r, before seal.Record, err error, when Cond) (seal.Record, error) {
	if errors.Is(err, fault.ErrNotFound) {
		if when.kind == ifRevision {
			return r, err
		}
		r.Incarnation, r.Counter = seal.NewIncarnation(), 1
		return v.stamp(r), nil
	}
	if err != nil {
		return r, err
	}
	if err := when.check(before); err != nil {
		return r, err
	}
	r.Incarnation, r.Counter = before.Incarnation, before.Counter+1
	return v.stamp(r), nil
}

func (v *Vault) stamp(r seal.Record) seal.Record {
	r.SavedAt = v.now().UTC().Round(0)
	return r
}

// Delete removes the record if the condition holds. One that is not there is
// ErrNotFound. With Always, one that cannot be read is removed too.
func (v *Vault) Delete(ctx context.Context, id ID, when Cond) error {
	key := seal.ID(id)
	return v.fail("delete", v.hold(ctx, key, func() error {
		r, err := v.read(ctx, key)
		if errors.Is(err, fault.ErrNotFound) || err != nil && when != Always {
			return err
		}
		if err == nil {
			defer clear(r.Value)
			if err := when.check(r); err != nil {
				return err
			}
		}
		if err := v.shelf.remove(key); err != nil {
			return err
		}
		v.marks.removed(key)
		return nil
	}))
}

// List returns all records, in no order. A file that cannot be read is an Info with
// an Err, which is an *Error.
func (v *Vault) List(ctx context.Context) ([]Info, error) {
	done, err := v.enter(ctx)
	if err != nil {
		return nil, v.fail("list", err)
	}
	defer done()
	found, err := v.shelf.list(ctx)
	if err != nil {
		return nil, v.fail("list", err)
	}
	infos := make([]Info, len(found))
	for i, f := range found {
		if infos[i] = infoOf(f.record); f.err != nil {
			infos[i] = Info{Err: v.fail("list", f.err)}
		}
	}
	return infos, nil
}

// Status says what the store is and holds. Of a closed one it says no numbers.
func (v *Vault) Status() Status {
	s := Status{Kind: v.kind, Prompt: v.prompt, Skipped: append([]Skip(nil), v.skipped...)}
	if done, err := v.enter(context.Background()); err == nil {
		defer done()
		v.shelf.fill(&s)
	}
	return s
}

// Close waits for the refreshes that run, wipes the key and gives back every file.
// What is called later is ErrClosed; a second Close waits for the first.
func (v *Vault) Close() error {
	v.mu.Lock()
	first := !v.closed
	v.closed = true
	v.mu.Unlock()
	v.close()
	v.calls.Wait()
	if !first {
		<-v.gone
		return nil
	}
	defer close(v.gone)
	return v.fail("close", v.shelf.close())
}

// enter begins a call, which done ends.
func (v *Vault) enter(ctx context.Context) (done func(), err error) {
	if ctx.Value(inRefresh{v}) != nil {
		return nil, fault.New(fault.ErrBusy, fault.Inside, nil)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return nil, fault.New(fault.ErrClosed, "", nil)
	}
	v.calls.Add(1)
	return v.calls.Done, nil
}

// hold calls f with the lock of the record held.
func (v *Vault) hold(ctx context.Context, id seal.ID, f func() error) error {
	done, err := v.enter(ctx)
	if err != nil {
		return err
	}
	defer done()
	release, err := v.lock(ctx, id)
	if err != nil {
		return err
	}
	defer release()
	return f()
}

// lock waits for the lock of the record: as long as ctx and the limit allow, and
// not beyond Close.
func (v *Vault) lock(ctx context.Context, id seal.ID) (release func(), err error) {
	if err := id.Check(); err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, v.timeouts.Lock)
	defer cancel()
	defer context.AfterFunc(v.closing, cancel)()
	release, err = v.shelf.hold(waiting, id)
	switch {
	case err != nil && v.closing.Err() != nil:
		return nil, fault.New(fault.ErrClosed, "", nil)
	case err == context.DeadlineExceeded && ctx.Err() == nil: // it had the lock, and had to ask for the key
		return nil, fault.New(fault.ErrTimeout, "", err)
	}
	return release, err
}

// read reads the record, and refuses one that is older than one seen before.
func (v *Vault) read(ctx context.Context, id seal.ID) (seal.Record, error) {
	if err := id.Check(); err != nil {
		return seal.Record{}, err
	}
	known := v.marks.before(id)
	r, err := v.shelf.read(ctx, id)
	if err != nil {
		return seal.Record{}, err
	}
	if err := v.marks.see(known, r); err != nil {
		clear(r.Value)
		return seal.Record{}, err
	}
	return r, nil
}

// wrote takes notice of a record that was written, if it was, and returns err.
func (v *Vault) wrote(r seal.Record, err error) error {
	if err == nil || errors.Is(err, fault.ErrNotPersisted) {
		v.marks.wrote(r)
	}
	return err
}
