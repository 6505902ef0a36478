package app

import (
	"context"
	"errors"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// kinds are the stores that v means and that outlive a process.
func (v *vault) kinds() []tokenvault.Mode {
	switch v.mode {
	case tokenvault.Auto:
		return []tokenvault.Mode{tokenvault.Keychain, tokenvault.File}
	}
	return []tokenvault.Mode{v.mode}
}

// eachStore calls do with every store that v means and that is there. None is made. One
// that does not open comes with the error.
func eachStore(ctx context.Context, v *vault, c tokenvault.Config, do func(kind tokenvault.Mode, store tokenvault.Store, err error)) {
	c.Existing = true
	for _, c.Mode = range v.kinds() {
		store, err := tokenvault.Open(ctx, c)
		switch {
		case errors.Is(err, tokenvault.ErrNotFound):
		case err != nil:
			do(c.Mode, nil, err)
		default:
			do(c.Mode, store, nil)
			_ = store.Close()
		}
	}
}

// errStore ends a subcommand that could not do its work at a store. What it has to say, it
// has said.
var errStore = errors.New("a store could not be used")
