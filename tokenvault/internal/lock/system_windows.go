package lock

import (
	"errors"

	"golang.org/x/sys/windows"
)

const openFlags = 0

func isNoLocks(err error) bool {
	return errors.Is(err, windows.ERROR_INVALID_FUNCTION) || errors.Is(err, windows.ERROR_NOT_SUPPORTED) ||
		errors.Is(err, windows.ERROR_CALL_NOT_IMPLEMENTED)
}

func isLink(err error) bool { return errors.Is(err, windows.ERROR_CANT_ACCESS_FILE) }

func isReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }
