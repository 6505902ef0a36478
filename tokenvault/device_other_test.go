//go:build !linux

package tokenvault_test

import "errors"

func mkzero(string, string) error { return errors.ErrUnsupported }
