package dir

import (
	"errors"
	"io/fs"
	"time"
)

// Remove removes a file, or a link itself. What is not there is fs.ErrNotExist, a
// directory is ErrDamaged and stays. With ErrNotPersisted the file is gone, but
// perhaps is back after a crash of the machine.
func (d *Dir) Remove(name string) error {
	info, err := d.root.Lstat(name)
	if err != nil {
		return unreadable(err)
	}
	if info.IsDir() {
		return insecure(nil)
	}
	if err := d.steps.remove(name); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return notWritable(err)
	}
	if err := d.steps.sync(); err != nil {
		return notSynced(err)
	}
	return nil
}

// tempAge is how old a temp is that no write and no refresh can still be using.
const tempAge = time.Hour

// Sweep removes what interrupted writes left behind: the plain temps that are older
// than an hour. What it cannot remove stays for the next time. The caller holds
// the lock of the vault alone.
func (d *Dir) Sweep(now time.Time) error {
	names, err := d.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if !IsTemp(name) {
			continue
		}
		info, err := d.Plain(name)
		if err != nil || now.Sub(info.ModTime()) <= tempAge {
			continue
		}
		_ = d.steps.remove(name)
	}
	return nil
}
