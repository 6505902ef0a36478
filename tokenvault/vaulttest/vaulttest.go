// Package vaulttest tells whether a Store keeps the contract of package tokenvault.
package vaulttest

import (
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// Run runs the contract as subtests of t. Each opens a store of its own, which is
// empty, and closes it.
//
// What only several processes can show, and what a disk or a keychain does, is not
// part of it.
func Run(t *testing.T, open func(t *testing.T) tokenvault.Store) {
	for _, c := range contract {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			})
			c.holds(&vault{t, s})
		})
	}
}

// A clause is one thing that a Store promises.
type clause struct {
	name  string
	holds func(v *vault)
}

var contract = append(append(records, conditions...), refreshes...)
