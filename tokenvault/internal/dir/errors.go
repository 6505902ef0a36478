package dir

import (
	"errors"
	"io/fs"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// Cause returns the innermost error: the number of the system's, which has no path.
func Cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

func insecure(err error) error {
	return fault.New(fault.ErrDamaged, fault.Insecure, Cause(err))
}

// unreadable is for a directory or a file that is there and cannot be opened.
func unreadable(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fault.New(fault.ErrDamaged, fault.IOFailed, Cause(err))
}

// notWritable says why nothing was written.
func notWritable(err error) error {
	detail := fault.IOFailed
	switch {
	case isFull(err):
		detail = fault.DiskFull
	case errors.Is(err, fs.ErrNotExist):
		detail = fault.Absent
	case errors.Is(err, fs.ErrPermission) || isReadOnly(err):
		detail = fault.ReadOnly
	}
	return fault.New(fault.ErrNotWritable, detail, Cause(err))
}

// notSynced says that the change is there, and would perhaps not outlive the machine.
func notSynced(err error) error {
	return fault.New(fault.ErrNotPersisted, fault.NotSynced, Cause(err))
}
