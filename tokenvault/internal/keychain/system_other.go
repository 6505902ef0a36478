//go:build !linux && !darwin && !windows

package keychain

import (
	"context"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// System returns a keychain that is never there: on this system nobody has tried
// what happens when one hangs.
func System(prompt bool) Backend { return none{} }

type none struct{}

func (none) Get(context.Context, string, string) ([]byte, error) { return nil, errNone }
func (none) Set(context.Context, string, string, []byte) error   { return errNone }
func (none) Delete(context.Context, string, string) error        { return errNone }

var errNone = fault.New(fault.ErrUnavailable, fault.NoKeychain, nil)
