package tokenvault

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/trestle-mcp/trestle/tokenvault/internal/dir"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/lock"
	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// Confirm is what Reset is told, so that nobody calls it by mistake.
type Confirm int

// DeleteEverything deletes all records of a vault.
const DeleteEverything Confirm = 1

// A ResetReport says what Reset did.
type ResetReport struct {
	Deleted int // records
	Left    int // files that could not be removed; without the key nobody reads them
}

// Reset deletes all records of the vault of c, whose Mode must be Keychain or File.
// It does not need the key, and not the records whole: it is also the way out when
// either is lost. Without a Key that can be read, the vault is gone, and the next
// Open makes a new one. Where there is no vault, it does nothing.
//
// The key in the keychain goes first: from then on no copy of the files, in a backup
// say, can be read. A copy of a File vault, header and records, can still be read with
// the key of the caller, whose matter that key is. Programs that have the vault open go
// on with an empty one.
//
// A keychain that is locked or does not answer is an error, and nothing is deleted.
func Reset(ctx context.Context, c Config, confirm Confirm) (ResetReport, error) {
	if confirm != DeleteEverything {
		return ResetReport{}, errors.New("tokenvault: Reset was not confirmed: pass DeleteEverything")
	}
	if c.Mode != Keychain && c.Mode != File {
		return ResetReport{}, errors.New("tokenvault: Config.Mode of Reset is neither Keychain nor File")
	}
	if err := c.check(); err != nil {
		return ResetReport{}, err
	}
	report, err := c.withDefaults().reset(ctx)
	return report, failure("reset", c.Mode, err)
}

func (c Config) reset(ctx context.Context) (ResetReport, error) {
	d, err := dir.OpenExisting(filepath.Join(c.Dir, subdirectory(c.Mode)))
	if errors.Is(err, fs.ErrNotExist) {
		return ResetReport{}, nil
	}
	if err != nil {
		return ResetReport{}, err
	}
	f, err := c.shelve(d, c.Mode)
	if errors.Is(err, fault.ErrKey) { // it is lost
		c.Key = KeySource{}
		f, err = c.shelve(d, c.Mode)
	}
	if err != nil {
		return ResetReport{}, errors.Join(err, d.Close())
	}
	defer f.close()
	waiting, cancel := context.WithTimeout(ctx, c.Timeouts.Lock)
	defer cancel()
	release, err := f.locks.Vault(waiting, true)
	if err != nil {
		return ResetReport{}, err
	}
	defer release()
	return f.reset(ctx)
}

// reset goes on from wherever an earlier one was stopped: after each step, what is
// left cannot be opened, and the next reset removes it.
func (f *files) reset(ctx context.Context) (ResetReport, error) {
	header, err := f.dir.Read(headerFile)
	if errors.Is(err, fs.ErrNotExist) && f.isBare() {
		return ResetReport{}, nil
	}
	if err == nil {
		err = f.root.forget(ctx, header)
	} else { // which key it was is lost
		err = f.removeHeader()
	}
	if err != nil {
		return ResetReport{}, err
	}
	made := f.make(ctx)
	report, err := f.removeAll()
	if f.header == nil {
		err = errors.Join(err, f.removeHeader())
	}
	return report, errors.Join(made, err)
}

// isBare reports whether nothing but locks is there: no vault was made, for want of a
// keychain perhaps, or all of one is removed.
func (f *files) isBare() bool {
	names, err := f.dir.Names()
	return err == nil && !slices.ContainsFunc(names, func(name string) bool { return !lock.Is(name) })
}

func (f *files) removeHeader() error {
	err := f.dir.Remove(headerFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// removeAll removes the records, and what is left of writing them.
func (f *files) removeAll() (ResetReport, error) {
	names, err := f.dir.Names()
	if err != nil {
		return ResetReport{}, err
	}
	var report ResetReport
	for _, name := range names {
		_, record := seal.ParseName(name)
		if !record && !dir.IsTemp(name) {
			continue
		}
		if e := f.dir.Remove(name); e != nil {
			report.Left++
			err = e
		} else if record {
			report.Deleted++
		}
	}
	return report, err
}
