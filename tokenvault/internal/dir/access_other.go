//go:build !unix && !windows

package dir

import (
	"errors"
	"io/fs"
	"os"
)

// Here nobody can be kept from reading a file, so none is made and none is read.

func makeDir(string) error { return errors.ErrUnsupported }

func checkWay(string) error { return insecure(errors.ErrUnsupported) }

func checkPrivateDir(string, fs.FileInfo) error { return insecure(errors.ErrUnsupported) }

func isPlain(fs.FileInfo) bool { return false }

func isPrivate(fs.FileInfo) bool { return false }

func isPrivateKey(string, fs.FileInfo) bool { return false }

func createPrivate(string) (*os.File, error) { return nil, errors.ErrUnsupported }
