package tokenvault

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/dir"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/keychain"
	"github.com/trestle-mcp/trestle/tokenvault/internal/lock"
)

// Open returns the vault that c describes. It is made if it is not there, unless
// c.Existing is set.
//
// A named mode that cannot be had is an error. Auto takes the next one where the
// keychain is locked, unavailable or too slow, where its key was lost, and where the
// directory cannot be written; a wrong key or a damaged vault is an error there too.
// What was left out is in Status, and in the one line of the log.
func Open(ctx context.Context, c Config) (*Vault, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if c.Mode == File && c.Key.IsZero() && !c.Existing {
		return nil, errors.New("tokenvault: Config.Key is needed for mode File")
	}
	v, err := c.withDefaults().open(ctx)
	if err != nil {
		return nil, err
	}
	v.announce(ctx, c.Logger)
	return v, nil
}

func (c Config) open(ctx context.Context) (*Vault, error) {
	if c.Mode != Auto {
		return c.openMode(ctx, c.Mode)
	}
	var skipped []Skip
	for _, kind := range []Mode{Keychain, File} {
		if kind == File && c.Key.IsZero() {
			continue
		}
		v, err := c.openMode(ctx, kind)
		if err == nil {
			v.skipped = skipped
			return v, nil
		}
		if !passable(kind, err) {
			return nil, err
		}
		skipped = append(skipped, Skip{kind, err})
	}
	v := newVault(Memory, c, newMemory())
	v.skipped = skipped
	return v, nil
}

// passable reports whether Auto goes on to the next store. A key that the user has
// given and that is wrong is a mistake to be told, not to be passed over.
func passable(kind Mode, err error) bool {
	for _, sentinel := range []error{ErrLocked, ErrUnavailable, ErrTimeout, ErrNotWritable, ErrNotFound} {
		if errors.Is(err, sentinel) {
			return true
		}
	}
	e, ok := errors.AsType[*Error](err)
	return ok && kind == Keychain && e.Err == ErrKey && e.Detail == string(fault.Missing)
}

func (c Config) openMode(ctx context.Context, kind Mode) (*Vault, error) {
	if kind == Memory {
		return newVault(Memory, c, newMemory()), nil
	}
	f, err := c.openFiles(ctx, kind)
	if err != nil {
		return nil, failure("open", kind, err)
	}
	if err := f.begin(ctx); err != nil {
		f.close()
		return nil, failure("open", kind, err)
	}
	return newVault(kind, c, f), nil
}

// openFiles opens the directory of a vault, and what its key comes from.
func (c Config) openFiles(ctx context.Context, kind Mode) (*files, error) {
	base, err := c.openDir(c.Dir)
	if err != nil {
		return nil, err
	}
	defer base.Close()
	d, err := c.openDir(filepath.Join(c.Dir, subdirectory(kind)))
	if err != nil {
		return nil, err
	}
	f, err := c.shelve(d, kind)
	if err != nil {
		d.Close()
	}
	return f, err
}

func (c Config) openDir(path string) (*dir.Dir, error) {
	if !c.Existing {
		return dir.Open(path)
	}
	d, err := dir.OpenExisting(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.ErrNotFound, fault.NoVault, nil)
	}
	return d, err
}

func (c Config) shelve(d *dir.Dir, kind Mode) (*files, error) {
	f := &files{dir: d, wait: c.Timeouts.Lock, existing: c.Existing}
	var err error
	if f.locks, err = lock.New(d); err != nil {
		return nil, err
	}
	if kind == Keychain {
		f.root = keychainKey{c.worker(), f.locks, c.Timeouts.Lock, c.Service}
		return f, nil
	}
	if f.root, err = c.Key.open(c.Dir); err != nil {
		return nil, err
	}
	return f, nil
}

func (c Config) worker() *keychain.Worker {
	t := c.Timeouts
	return keychain.New(keychain.Options{
		Backend: c.Keychain, Prompt: c.Prompt == PromptAllowed,
		Timeout: t.Keychain, Start: t.KeychainStart, PromptTimeout: t.Prompt,
	})
}

// subdirectory is where the vault of a mode lies. The two never share a record: what
// one has spent, the other would spend again.
func subdirectory(kind Mode) string {
	if kind == Keychain {
		return "kc"
	}
	return "kf"
}

// begin reads the header, or makes the vault if there is none.
func (f *files) begin(ctx context.Context) error {
	header, err := f.dir.Read(headerFile)
	if errors.Is(err, fs.ErrNotExist) {
		return f.create(ctx)
	}
	if err != nil {
		return err
	}
	f.header = header
	f.keys, err = f.root.open(ctx, header)
	if errors.Is(err, fault.ErrKey) && f.wasReset(ctx) {
		return f.begin(ctx)
	}
	if err != nil {
		return err
	}
	f.sweep()
	return nil
}

// wasReset reports whether there is another header, when no Reset is at work.
func (f *files) wasReset(ctx context.Context) bool {
	release, err := f.noReset(ctx)
	if err != nil {
		return false
	}
	defer release()
	header, err := f.dir.Read(headerFile)
	return err != nil || !bytes.Equal(header, f.header)
}

// create makes the vault, unless another process is first. The header comes last: a
// crash before it leaves an item in the keychain that nobody uses.
func (f *files) create(ctx context.Context) error {
	waiting, cancel := context.WithTimeout(ctx, f.wait)
	defer cancel()
	release, err := f.locks.Vault(waiting, true)
	if err != nil {
		return err
	}
	defer release()
	if header, err := f.dir.Read(headerFile); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			f.keys, err = f.root.open(ctx, header)
			f.header = header
		}
		return err
	}
	if names, err := f.recordNames(); err != nil || len(names) > 0 {
		return errors.Join(err, fault.New(fault.ErrDamaged, fault.NoHeader, nil))
	}
	if f.existing {
		return fault.New(fault.ErrNotFound, fault.NoVault, nil)
	}
	return f.make(ctx)
}

// make gives the directory a new key and a header.
func (f *files) make(ctx context.Context) error {
	header, keys, err := f.root.create(ctx)
	if err != nil {
		return err
	}
	if header == nil {
		return nil // there is no key for a new vault: Reset alone comes here
	}
	if err := f.dir.Write(headerFile, header); err != nil {
		keys.Wipe()
		return err
	}
	f.header, f.keys = header, keys
	return nil
}

// sweepWait is how long sweep waits for the others to leave the vault. It is no
// harm if they do not: the next one to open the vault tries again.
const sweepWait = 10 * time.Millisecond

// sweep removes what crashed writers have left, if nobody else is at the vault now.
func (f *files) sweep() {
	now, cancel := context.WithTimeout(context.Background(), sweepWait)
	defer cancel()
	if release, err := f.locks.Vault(now, true); err == nil {
		defer release()
		_ = f.dir.Sweep(time.Now())
	}
}

// announce writes the one line that names the store.
func (v *Vault) announce(ctx context.Context, log *slog.Logger) {
	if log == nil {
		return
	}
	attrs := []any{"store", v.kind.String()}
	level := slog.LevelInfo
	for _, s := range v.skipped {
		attrs = append(attrs, s.Kind.String(), s.Err.Error())
		level = slog.LevelWarn
	}
	if v.Status().NetworkFS {
		attrs = append(attrs, "network_fs", true)
	}
	log.Log(ctx, level, "tokens are kept in this store", attrs...)
}
