package tokenvault_test

import (
	"path/filepath"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault"
	"github.com/trestle-mcp/trestle/tokenvault/vaulttest"
)

// Each mode keeps the contract.
//
// req: V07
func TestContract(t *testing.T) {
	for name, c := range map[string]tokenvault.Config{
		"memory":   {Mode: tokenvault.Memory},
		"file":     {Mode: tokenvault.File, Key: tokenvault.KeyFromHex(testKey)},
		"keychain": {Mode: tokenvault.Keychain, Service: "tests/tokenvault"},
	} {
		t.Run(name, func(t *testing.T) {
			vaulttest.Run(t, func(t *testing.T) tokenvault.Store {
				c.Dir = filepath.Join(t.TempDir(), "tokens")
				c.Keychain = &keychainOfMap{}
				v, err := tokenvault.Open(t.Context(), c)
				if err != nil {
					t.Fatal(err)
				}
				return v
			})
		})
	}
}
