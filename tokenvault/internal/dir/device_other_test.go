//go:build !linux

package dir

import "errors"

func mkdevice(string, uint32, uint32) error { return errors.ErrUnsupported }
