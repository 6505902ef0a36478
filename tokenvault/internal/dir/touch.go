package dir

import (
	"errors"
	"io/fs"
	"os"
)

// Touch makes an empty file for the user alone. One that is there is left as it is:
// whether it is plain is not looked at.
func (d *Dir) Touch(name string) error {
	f, err := d.steps.create(name)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return notWritable(err)
	}
	return f.Close()
}

// Note writes a line for people over the start of a plain file, without its first
// byte. Whether that worked is nobody's business, and the line may be lost.
func (d *Dir) Note(name string, line []byte) {
	info, err := d.Plain(name)
	if err != nil {
		return
	}
	f, err := d.root.OpenFile(name, os.O_WRONLY|noWait, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if opened, err := f.Stat(); err == nil && os.SameFile(info, opened) && opened.Mode().IsRegular() {
		_, _ = f.WriteAt(line[1:], 1)
	}
}
