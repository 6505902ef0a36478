package dir

import "os"

// steps are the calls that change the directory. Tests let each of them fail.
type steps interface {
	create(name string) (file, error) // a new file for the user alone
	rename(from, to string) error     // over what is there
	remove(name string) error
	sync() error // of the directory itself
}

// A file is a new one that nobody else has open.
type file interface {
	Write(p []byte) (int, error)
	WriteAt(p []byte, offset int64) (int, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

// disk is the steps as the system does them.
type disk struct{ root *os.Root }

func (d disk) create(name string) (file, error) {
	f, err := d.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err // a nil *os.File would not be a nil file
	}
	return f, nil
}

func (d disk) rename(from, to string) error {
	return patiently(inTheWay, func() error { return d.root.Rename(from, to) })
}

func (d disk) remove(name string) error {
	return patiently(inTheWay, func() error { return d.root.Remove(name) })
}

func (d disk) sync() error { return syncDir(d.root) }
