package tokenvault_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// Two processes are about to spend the same refresh token, and the server refuses
// the one that comes second: the tokens of the first are there afterwards, however
// the second tells that its own are worth nothing.
//
// req: V07
func TestThreat27LoserClearsNothing(t *testing.T) {
	for name, clears := range map[string]func(t *testing.T, v *tokenvault.Vault, rev tokenvault.Revision) error{
		"by a value of Refresh": func(t *testing.T, v *tokenvault.Vault, rev tokenvault.Revision) error {
			e, adopted, err := v.Refresh(t.Context(), alice, rev, mustNot(t))
			if !adopted || e.Value.Expose() != "of the winner" {
				t.Errorf("the loser has %q, adopted %t", e.Value.Expose(), adopted)
			}
			return err
		},
		"by Put": func(t *testing.T, v *tokenvault.Vault, rev tokenvault.Revision) error {
			_, err := v.Put(t.Context(), alice, tokenvault.Secret{}, tokenvault.PutOptions{When: tokenvault.IfRevision(rev)})
			return err
		},
		"by Delete": func(t *testing.T, v *tokenvault.Vault, rev tokenvault.Revision) error {
			return v.Delete(t.Context(), alice, tokenvault.IfRevision(rev))
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := fileConfig(newDir(t))
			winner, loser := open(t, c), open(t, c)
			rev := put(t, winner, alice, "old")
			if e := get(t, loser, alice); e.Rev != rev {
				t.Fatalf("the loser has revision %v", e.Rev)
			}
			now, _, err := winner.Refresh(t.Context(), alice, rev, returns("of the winner"))
			if err != nil {
				t.Fatal(err)
			}
			err = clears(t, loser, rev)
			if e, ok := errors.AsType[*tokenvault.Error](err); err != nil && (!ok || e.Err != tokenvault.ErrConflict || e.Current != now.Rev) {
				t.Errorf("the loser got %v, want none or ErrConflict with the revision that is there", err)
			}
			for _, v := range []*tokenvault.Vault{winner, loser} {
				if e := get(t, v, alice); e.Rev != now.Rev || e.Value.Expose() != "of the winner" {
					t.Errorf("the record is %q", e.Value.Expose())
				}
			}
		})
	}
}

// Two accounts at one address, and one account at two, keep what is their own:
// after a refresh, after a sign-out, and for who opens the vault later.
//
// req: V05
func TestThreat51AccountsAreApart(t *testing.T) {
	c := fileConfig(newDir(t))
	v := open(t, c)
	bob := tokenvault.ID{Service: alice.Service, Account: "bob", Key: alice.Key}
	elsewhere := tokenvault.ID{Service: alice.Service, Account: alice.Account, Key: alice.Key + "/b"}
	all := map[tokenvault.ID]string{alice: "1", bob: "2", elsewhere: "3"}
	for id, text := range all {
		put(t, v, id, text)
	}
	_, _, err := v.Refresh(t.Context(), bob, get(t, v, bob).Rev, func(_ context.Context, e tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
		if e.ID != bob || e.Value.Expose() != "2" {
			t.Errorf("the refresh of bob got %q of %v", e.Value.Expose(), e.ID)
		}
		return tokenvault.NewSecret([]byte("4")), time.Time{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Delete(t.Context(), alice, tokenvault.Always); err != nil {
		t.Fatal(err)
	}
	delete(all, alice)
	all[bob] = "4"
	for _, v := range []*tokenvault.Vault{v, open(t, c)} {
		for id, want := range all {
			if e := get(t, v, id); e.ID != id || e.Value.Expose() != want {
				t.Errorf("record of %v: got %q of %v, want %q", id, e.Value.Expose(), e.ID, want)
			}
		}
		if _, err := v.Get(t.Context(), alice); !errors.Is(err, tokenvault.ErrNotFound) {
			t.Errorf("who signed out: got %v, want ErrNotFound", err)
		}
	}
}
