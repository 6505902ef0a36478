package app

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/trestle-mcp/trestle/bridge"
)

// maxAuthorities bounds a file with certificates: those of a whole system are fewer bytes.
const maxAuthorities = 4 * mebibyte

// readAuthorities reads a file with certificates in PEM. Its errors do not name the file.
func readAuthorities(path string) ([]byte, error) {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("there is no such file")
	case err != nil:
		return nil, errors.New("cannot be opened")
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxAuthorities+1))
	switch {
	case err != nil:
		return nil, errors.New("cannot be read")
	case len(text) > maxAuthorities:
		return nil, errors.New("the file is too long")
	}
	return text, bridge.CheckCA(text)
}
