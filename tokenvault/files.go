package tokenvault

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/dir"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/lock"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// headerFile is the name of the file that says which vault it is.
const headerFile = "vault"

// files is the shelf of sealed files in one directory.
type files struct {
	dir   *dir.Dir
	locks *lock.Locks
	wait  time.Duration // for the others
	root  rootKey

	existing bool // no vault is made

	mu     sync.RWMutex
	header []byte // as it was read
	keys   *seal.Keys
}

// hold takes the lock of a record. No Reset runs while it is held.
func (f *files) hold(ctx context.Context, id seal.ID) (release func(), err error) {
	let, err := f.locks.Vault(ctx, false)
	if err != nil {
		return nil, err
	}
	if err := f.renew(ctx); err != nil {
		let()
		return nil, err
	}
	unlock, err := f.locks.Stripe(ctx, f.name(id).Stripe())
	if err != nil {
		let()
		return nil, err
	}
	return func() { unlock(); let() }, nil
}

// renew reads the header again. After a Reset, of another process too, it is that of
// another vault, and the key is asked for once more.
func (f *files) renew(ctx context.Context) error {
	for {
		f.mu.RLock()
		before := f.header
		f.mu.RUnlock()
		header, err := f.dir.Read(headerFile)
		if errors.Is(err, fs.ErrNotExist) {
			return fault.New(fault.ErrDamaged, fault.NoHeader, nil)
		}
		if err != nil || bytes.Equal(header, before) {
			return err
		}
		keys, err := f.root.open(ctx, header)
		if err != nil {
			return err
		}
		if f.replace(before, header, keys) {
			return nil
		}
	}
}

// catchUp is renew for who holds no lock. A Reset that is at work throws the key away
// before it writes the next header.
func (f *files) catchUp(ctx context.Context) error {
	err := f.renew(ctx)
	if !errors.Is(err, fault.ErrKey) {
		return err
	}
	release, lockErr := f.noReset(ctx)
	if lockErr != nil {
		return err
	}
	defer release()
	return f.renew(ctx)
}

// noReset waits for a Reset that is at work, and keeps others away.
func (f *files) noReset(ctx context.Context) (release func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, f.wait)
	defer cancel()
	return f.locks.Vault(waiting, false)
}

// replace puts another header in the place of the one that was there before the
// file was read. If somebody was first, what they have read can be newer.
func (f *files) replace(before, header []byte, keys *seal.Keys) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !bytes.Equal(f.header, before) {
		keys.Wipe()
		return false
	}
	f.keys.Wipe()
	f.header, f.keys = header, keys
	return true
}

func (f *files) name(id seal.ID) seal.Name {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.keys.Name(id)
}

// read needs no lock: a file is replaced as a whole. What is not there, or not of
// this vault, may be so because of a Reset.
func (f *files) read(ctx context.Context, id seal.ID) (seal.Record, error) {
	before := f.name(id)
	r, err := f.open(before)
	if err == nil || !errors.Is(err, fault.ErrNotFound) && !errors.Is(err, fault.ErrDamaged) {
		return r, err
	}
	if err := f.catchUp(ctx); err != nil {
		return seal.Record{}, err
	}
	if now := f.name(id); now != before {
		return f.open(now)
	}
	return r, err
}

// open reads the file of a record.
func (f *files) open(name seal.Name) (seal.Record, error) {
	sealed, err := f.dir.Read(name.File())
	if errors.Is(err, fs.ErrNotExist) {
		return seal.Record{}, fault.New(fault.ErrNotFound, "", nil)
	}
	if err != nil {
		return seal.Record{}, err
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.keys.Open(name, sealed)
}

func (f *files) write(r seal.Record) error {
	name, sealed, err := f.seal(r)
	if err != nil {
		return err
	}
	if r.Counter == 1 {
		if err := f.roomForOneMore(); err != nil {
			return err
		}
	}
	return f.dir.Write(name.File(), sealed)
}

func (f *files) seal(r seal.Record) (seal.Name, []byte, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	sealed, err := f.keys.Seal(r)
	return f.keys.Name(r.ID), sealed, err
}

func (f *files) roomForOneMore() error {
	names, err := f.recordNames()
	if err == nil && len(names) >= maxRecords {
		return fault.New(fault.ErrNotWritable, fault.Full, nil)
	}
	return err
}

func (f *files) reserve(r seal.Record) (room, error) {
	space, err := f.dir.Reserve(r.Room())
	if err != nil {
		return nil, err
	}
	return &fileRoom{f, space}, nil
}

type fileRoom struct {
	files *files
	space *dir.Room
}

func (r *fileRoom) commit(next seal.Record) error {
	name, sealed, err := r.files.seal(next)
	if err != nil {
		return err
	}
	return r.space.Commit(name.File(), sealed)
}

func (r *fileRoom) drop() { r.space.Drop() }

func (f *files) remove(id seal.ID) error {
	err := f.dir.Remove(f.name(id).File())
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.ErrNotFound, "", nil)
	}
	return err
}

// list reads all records. What cannot be read may be what a Reset has not come to
// yet, so that it is looked at again when no Reset runs.
func (f *files) list(ctx context.Context) ([]listed, error) {
	all, err := f.listNow(ctx)
	if !slices.ContainsFunc(all, func(l listed) bool { return l.err != nil }) {
		return all, err
	}
	release, err := f.noReset(ctx)
	if err != nil {
		return all, nil
	}
	defer release()
	return f.listNow(ctx)
}

func (f *files) listNow(ctx context.Context) ([]listed, error) {
	if err := f.catchUp(ctx); err != nil {
		return nil, err
	}
	names, err := f.recordNames()
	if err != nil {
		return nil, err
	}
	var all []listed
	for _, name := range names {
		r, err := f.open(name)
		if errors.Is(err, fault.ErrNotFound) {
			continue // deleted meanwhile
		}
		clear(r.Value)
		r.Value = nil
		all = append(all, listed{r, err})
	}
	return all, nil
}

func (f *files) recordNames() ([]seal.Name, error) {
	names, err := f.dir.Names()
	if err != nil {
		return nil, err
	}
	var records []seal.Name
	for _, n := range names {
		if name, ok := seal.ParseName(n); ok {
			records = append(records, name)
		}
	}
	return records, nil
}

func (f *files) fill(s *Status) {
	s.Dir, s.NetworkFS = f.dir.Path(""), f.dir.NetworkFS()
	f.mu.RLock()
	s.Kid = f.keys.KID().String()
	f.mu.RUnlock()
	names, err := f.dir.Names()
	if err != nil {
		return
	}
	for _, n := range names {
		if _, ok := seal.ParseName(n); ok {
			s.Records++
		} else if !ours(n) {
			s.Foreign++
		}
	}
}

// ours reports whether a name is that of a file which a vault makes beside the records.
func ours(name string) bool { return name == headerFile || lock.Is(name) || dir.IsTemp(name) }

func (f *files) close() error {
	f.mu.Lock()
	f.keys.Wipe()
	f.mu.Unlock()
	f.root.close()
	return f.dir.Close()
}
