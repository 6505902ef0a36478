//go:build !unix && !windows

package dir

import (
	"errors"
	"os"
)

const (
	noWait   = 0
	noFollow = 0
)

func isFull(error) bool { return false }

func isReadOnly(error) bool { return false }

func inTheWay(error) bool { return false }

func syncDir(*os.Root) error { return errors.ErrUnsupported }
