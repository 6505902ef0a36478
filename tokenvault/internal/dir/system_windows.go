package dir

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Opening never waits here, and links are told by the look before.
const (
	noWait   = 0
	noFollow = 0
)

func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

func isReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }

// inTheWay reports whether somebody has the file open who did not share it.
func inTheWay(err error) bool {
	return errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
}

// syncDir has nothing to do: NTFS keeps its names by itself.
func syncDir(*os.Root) error { return nil }
