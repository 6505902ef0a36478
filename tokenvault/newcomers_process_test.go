package tokenvault_test

import (
	"fmt"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault"
)

const newcomers = 16

func newcomer(n string) tokenvault.ID {
	return tokenvault.ID{Service: "tests", Account: n, Key: alice.Key}
}

// meetOthers writes a record of its own, and at the next order reads those of all.
func meetOthers(p player) error {
	mine := p.args[0]
	if _, err := p.vault.Put(p, newcomer(mine), tokenvault.NewSecret([]byte(mine)), tokenvault.PutOptions{}); err != nil {
		return err
	}
	fmt.Println(p.vault.Status().Kid)
	if _, err := p.next(); err != nil {
		return err
	}
	for i := range newcomers {
		n := fmt.Sprint(i)
		e, err := p.vault.Get(p, newcomer(n))
		if err != nil {
			return err
		}
		if e.Value.Expose() != n {
			return fmt.Errorf("the record of %s is that of %s", n, e.Value.Expose())
		}
	}
	return nil
}

// Processes that find no vault make one together: there is one key, and all read all.
func TestThreat30ManyMakeTheVault(t *testing.T) {
	for range times(5) {
		all := startAll(t, newcomers, "newcomer", newDir(t))
		kids := map[string]bool{}
		for _, p := range all {
			kids[p.says()] = true
		}
		if len(kids) != 1 {
			t.Errorf("%d keys were made", len(kids))
		}
		for _, p := range all {
			p.order("read")
		}
		for _, p := range all {
			p.ends()
		}
	}
}
