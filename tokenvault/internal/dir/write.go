package dir

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"strings"
)

// Write puts the data into a file of that name, in place of what was there.
//
// With ErrNotWritable the old file, or none, is there as before. With
// ErrNotPersisted the new one is there, but perhaps would not outlive a crash of
// the machine. Something that is no plain file of the user alone is left there: ErrDamaged.
func (d *Dir) Write(name string, data []byte) error {
	if err := d.checkTarget(name); err != nil {
		return err
	}
	t, err := d.newTemp()
	if err != nil {
		return err
	}
	if _, err := t.file.Write(data); err != nil {
		return t.abandon(err)
	}
	return t.settle(name)
}

// checkTarget refuses to replace what the vault did not make.
func (d *Dir) checkTarget(name string) error {
	_, err := d.Plain(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// A temp is a new file on its way to its name.
type temp struct {
	steps steps
	name  string
	file  file
}

func (d *Dir) newTemp() (*temp, error) {
	name := newTempName()
	f, err := d.steps.create(name)
	if err != nil {
		return nil, notWritable(err)
	}
	return &temp{d.steps, name, f}, nil
}

// settle gives the written file its name, for good.
func (t *temp) settle(name string) error {
	if err := t.file.Sync(); err != nil {
		return t.abandon(err)
	}
	if err := t.file.Close(); err != nil {
		return t.abandon(err)
	}
	if err := t.steps.rename(t.name, name); err != nil {
		return t.abandon(err)
	}
	if err := t.steps.sync(); err != nil {
		return notSynced(err)
	}
	return nil
}

// abandon removes the file and returns why.
func (t *temp) abandon(err error) error {
	t.drop()
	return notWritable(err)
}

func (t *temp) drop() {
	_ = t.file.Close()
	_ = t.steps.remove(t.name) // what stays is swept later
}

// A temp is named t- and 16 hex digits.
const (
	tempPrefix = "t-"
	tempBytes  = 8
)

func newTempName() string {
	var b [tempBytes]byte
	rand.Read(b[:])
	return tempPrefix + hex.EncodeToString(b[:])
}

// IsTemp reports whether Write or Reserve may have made a file of that name.
func IsTemp(name string) bool {
	digits, ok := strings.CutPrefix(name, tempPrefix)
	if !ok || len(digits) != 2*tempBytes {
		return false
	}
	for _, c := range []byte(digits) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
