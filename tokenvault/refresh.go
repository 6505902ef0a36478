package tokenvault

import (
	"context"
	"errors"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// inRefresh marks the context of a RefreshFunc of the vault.
type inRefresh struct{ vault *Vault }

// errNoReturn is the error of a RefreshFunc that ended its goroutine, as the Fatal
// of a test does.
var errNoReturn = errors.New("tokenvault: the RefreshFunc did not return")

// A run is one refresh on its way; who wants the same one waits for it.
type run struct {
	done  chan struct{} // closed when the rest is set
	entry Entry
	older bool // the record had another revision already
	err   error
}

type runKey struct {
	id   ID
	seen Revision
}

// Refresh calls fn with the record, and stores what it returns, if the record still
// has the revision seen. If it has another, the result is that record, and true: some
// process was first.
//
// The lock of the record is held for the time of fn, and the disk space for the new
// record is taken before it: ErrBusy, ErrNotFound, ErrNotWritable and ErrDamaged say
// that fn was not called. An error of fn comes back as it is, with the record as it
// stays. ErrNotPersisted comes with the new record, which only the caller has then.
//
// Who leaves early, because ctx has ended, stops nothing: fn goes on with a context
// of its own, its value is stored, and Close waits for it.
func (v *Vault) Refresh(ctx context.Context, id ID, seen Revision, fn RefreshFunc) (Entry, bool, error) {
	r, first, err := v.join(ctx, id, seen, fn)
	if err != nil {
		return Entry{}, false, v.fail("refresh", err)
	}
	select {
	case <-r.done:
		return r.entry.own(), r.older || r.err == nil && !first, r.err
	case <-ctx.Done():
		return Entry{}, false, v.fail("refresh", ctx.Err())
	}
}

// join returns the run for this revision, and whether it began with this call.
func (v *Vault) join(ctx context.Context, id ID, seen Revision, fn RefreshFunc) (r *run, first bool, err error) {
	done, err := v.enter(ctx)
	if err != nil {
		return nil, false, err
	}
	key := runKey{id, seen}
	v.mu.Lock()
	defer v.mu.Unlock()
	if r := v.runs[key]; r != nil {
		done()
		return r, false, nil
	}
	r = &run{done: make(chan struct{}), err: errNoReturn}
	v.runs[key] = r
	go func() {
		defer done()
		defer close(r.done)
		defer v.part(key)
		r.entry, r.older, r.err = v.refresh(context.WithoutCancel(ctx), seal.ID(id), seen, fn)
	}()
	return r, true, nil
}

// part takes a run away, which nobody joins any more.
func (v *Vault) part(key runKey) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.runs, key)
}

// refresh is Refresh under the lock. Errors of fn are not wrapped.
func (v *Vault) refresh(ctx context.Context, id seal.ID, seen Revision, fn RefreshFunc) (Entry, bool, error) {
	release, err := v.lock(ctx, id)
	if err != nil {
		return Entry{}, false, v.fail("refresh", err)
	}
	defer release()
	r, err := v.read(ctx, id)
	if err != nil {
		return Entry{}, false, v.fail("refresh", err)
	}
	defer clear(r.Value)
	if revisionOf(r) != seen {
		return entryOf(r), true, nil
	}
	room, err := v.shelf.reserve(r)
	if err != nil {
		return Entry{}, false, v.fail("refresh", err)
	}
	defer room.drop()

	limited, cancel := context.WithTimeout(context.WithValue(ctx, inRefresh{v}, true), v.timeouts.Refresh)
	defer cancel()
	value, expires, err := fn(limited, entryOf(r))
	if err != nil {
		return entryOf(r), false, err
	}
	entry, err := v.commit(ctx, room, r, value, expires)
	return entry, false, v.fail("refresh", err)
}

// commit stores what a RefreshFunc has returned. The entry is the new one, whatever
// the error: a refresh token that nobody keeps is lost.
func (v *Vault) commit(ctx context.Context, room room, r seal.Record, value Secret, expires time.Time) (Entry, error) {
	seen := revisionOf(r)
	entry := entryOf(r)
	r.Counter++
	r = v.stamp(r)
	r.ExpiresAt = expires
	entry.Rev, entry.SavedAt, entry.ExpiresAt, entry.Value = revisionOf(r), r.SavedAt, expires, value

	// Nothing of ours removes a record whose lock is held; a person can, and must not
	// find it back.
	there, err := v.read(ctx, r.ID)
	clear(there.Value)
	if err != nil || revisionOf(there) != seen {
		return entry, fault.New(fault.ErrNotPersisted, fault.Changed, err)
	}
	err = value.Use(func(b []byte) error {
		r.Value = b
		return v.wrote(r, room.commit(r))
	})
	if err != nil && !errors.Is(err, fault.ErrNotPersisted) {
		err = fault.New(fault.ErrNotPersisted, "", err)
	}
	return entry, err
}
