//go:build unix

package lock

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// What the system says is told as what it means for the vault.
func TestThreat53ErrorsOfTheSystem(t *testing.T) {
	tests := []struct {
		name     string
		errno    syscall.Errno
		sentinel error
		detail   fault.Detail
	}{
		{"ENOLCK", syscall.ENOLCK, fault.ErrUnavailable, fault.NoLocks},
		{"ENOSYS", syscall.ENOSYS, fault.ErrUnavailable, fault.NoLocks},
		{"EOPNOTSUPP", syscall.EOPNOTSUPP, fault.ErrUnavailable, fault.NoLocks},
		{"ENOTSUP", syscall.ENOTSUP, fault.ErrUnavailable, fault.NoLocks},
		{"ENOENT", syscall.ENOENT, fault.ErrDamaged, fault.Moved},
		{"ELOOP", syscall.ELOOP, fault.ErrDamaged, fault.Insecure},
		{"EISDIR", syscall.EISDIR, fault.ErrDamaged, fault.Insecure},
		{"ENXIO", syscall.ENXIO, fault.ErrDamaged, fault.Insecure},
		{"EACCES", syscall.EACCES, fault.ErrNotWritable, fault.ReadOnly},
		{"EROFS", syscall.EROFS, fault.ErrNotWritable, fault.ReadOnly},
		{"EIO", syscall.EIO, fault.ErrUnavailable, fault.IOFailed},
		{"EMFILE", syscall.EMFILE, fault.ErrUnavailable, fault.IOFailed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, err := range []error{test.errno, &fs.PathError{Op: "open", Path: "/secret", Err: test.errno}} {
				got := lockError(err)
				e, ok := errors.AsType[*fault.Error](got)
				if !ok || !errors.Is(got, test.sentinel) || e.Detail != test.detail || e.Cause != error(test.errno) {
					t.Errorf("%v, want %v: %s", got, test.sentinel, test.detail)
				}
			}
		})
	}
}
