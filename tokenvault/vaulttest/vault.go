package vaulttest

import (
	"errors"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// A vault is the store under test. Its methods fail the test where the store does.
type vault struct {
	*testing.T
	tokenvault.Store
}

// The IDs of the tests: two accounts of one key, and another key.
var (
	alice = tokenvault.ID{Service: "tests", Account: "alice", Key: "https://one.example/"}
	bob   = tokenvault.ID{Service: "tests", Account: "bob", Key: "https://one.example/"}
	other = tokenvault.ID{Service: "tests", Account: "alice", Key: "https://two.example/"}
)

func secret(text string) tokenvault.Secret { return tokenvault.NewSecret([]byte(text)) }

func (v *vault) put(id tokenvault.ID, text string) tokenvault.Revision {
	v.Helper()
	rev, err := v.Put(v.Context(), id, secret(text), tokenvault.PutOptions{})
	if err != nil {
		v.Fatalf("Put: %v", err)
	}
	return rev
}

func (v *vault) get(id tokenvault.ID) tokenvault.Entry {
	v.Helper()
	e, err := v.Get(v.Context(), id)
	if err != nil {
		v.Fatalf("Get: %v", err)
	}
	return e
}

// has checks the value of a record.
func (v *vault) has(id tokenvault.ID, want string) {
	v.Helper()
	if got := v.get(id); !got.Value.Equal(secret(want)) || got.ID != id {
		v.Errorf("record of %v: got %q of %v, want %q", id, got.Value.Expose(), got.ID, want)
	}
}

// hasNot checks that there is no record.
func (v *vault) hasNot(id tokenvault.ID) {
	v.Helper()
	_, err := v.Get(v.Context(), id)
	v.is("Get", err, tokenvault.ErrNotFound)
}

func (v *vault) is(op string, got, want error) {
	v.Helper()
	if !errors.Is(got, want) || want == nil && got != nil {
		v.Errorf("%s: got %v, want %v", op, got, want)
	}
}

// conflicts checks that an error is ErrConflict, with the revision that is there.
func (v *vault) conflicts(op string, err error, there tokenvault.Revision) {
	v.Helper()
	v.is(op, err, tokenvault.ErrConflict)
	if e, ok := errors.AsType[*tokenvault.Error](err); !ok || e.Current != there {
		v.Errorf("%s: the error %#v does not have the revision that is there", op, err)
	}
}

// later is a time to which no store has a reason to round.
var later = time.Date(2031, 2, 3, 4, 5, 6, 0, time.UTC)
