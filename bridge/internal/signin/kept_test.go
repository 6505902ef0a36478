package signin

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// keep keeps a sign-in of an account at a server.
func keep(t *testing.T, store tokenvault.Store, label, server string, change func(*record)) {
	t.Helper()
	r := record{
		issuer: "https://issuer.example/tenant", endpoint: "https://issuer.example/token", granted: scopes{"a", "b"},
		access: tokenvault.NewSecret([]byte("s3cret-access")), refresh: tokenvault.NewSecret([]byte("s3cret-refresh")),
		expires: time.Now().Add(time.Hour),
	}
	if change != nil {
		change(&r)
	}
	u := mustParse(t, server)
	a := &account{vault: store, id: signInID(label, u), server: u, label: label}
	if k := a.save(t.Context(), r); k.unkept {
		t.Fatal("not stored")
	}
}

// What is kept is shown without a secret, and of a URL the origin; clients are no sign-ins.
//
// req: X06 P04
func TestX06KeptSignIns(t *testing.T) {
	store := newVault(t)
	keep(t, store, "", "https://server.example:8443/s3cret?key=s3cret", nil)
	keep(t, store, "work", "https://server.example:8443/s3cret?key=s3cret", func(r *record) {
		r.refresh, r.access, r.expires = tokenvault.Secret{}, tokenvault.Secret{}, time.Time{}
	})
	clientStore{store}.put(t.Context(), "https://issuer.example", "http://127.0.0.1:1/callback", keptClient{client: client{id: "s3cret"}})
	all, err := List(t.Context(), store)
	if err != nil || len(all) != 2 {
		t.Fatalf("List = %v, %v; want two sign-ins", all, err)
	}
	slices.SortFunc(all, func(a, b Kept) int { return strings.Compare(a.Account, b.Account) })
	if text := fmt.Sprintf("%+v", all); strings.Contains(text, "s3cret") {
		t.Errorf("a secret is shown: %s", text)
	}
	none, work := all[0], all[1]
	if none.Origin != "https://server.example:8443" || none.Account != "" || none.Issuer != "issuer.example" || none.Scopes != 2 ||
		!none.Access || !none.Refresh || time.Until(none.Expires) < time.Minute || time.Since(none.Saved) > time.Hour || none.Err != nil {
		t.Errorf("the first is %+v", none)
	}
	if work.Account != "work" || work.Access || work.Refresh || !work.Expires.IsZero() {
		t.Errorf("the second is %+v", work)
	}
	if len(none.Key) != 8 || none.Key == work.Key || strings.Trim(none.Key+work.Key, "0123456789abcdef") != "" {
		t.Errorf("keys %q and %q", none.Key, work.Key)
	}
}

// A record that cannot be read, or that is of somebody else, is named as such.
//
// req: X06
func TestX06DamagedRecords(t *testing.T) {
	c := tokenvault.Config{Mode: tokenvault.File, Dir: filepath.Join(t.TempDir(), "tokens"), Key: tokenvault.KeyFromHex(tokenvault.NewSecret([]byte(strings.Repeat("0123456789abcdef", 4))))}
	store, err := tokenvault.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	keep(t, store, "", "https://server.example/", nil)
	names, err := filepath.Glob(filepath.Join(c.Dir, "kf", "r-*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("files %q, %v", names, err)
	}
	if err := os.WriteFile(names[0], []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	keep(t, store, "", "https://other.example/", nil)
	keep(t, store, "", "https://third.example/", func(r *record) { r.issuer = "not a URL" })
	foreign := tokenvault.ID{Service: "of another program", Key: "0123456789abcdef"}
	if _, err := store.Put(t.Context(), foreign, tokenvault.NewSecret([]byte("{}")), tokenvault.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	all, err := List(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	var good, damaged, other int
	for _, k := range all {
		switch {
		case k.Err == nil:
			good++
		case errors.Is(k.Err, tokenvault.ErrDamaged):
			damaged++
		default:
			other++
		}
	}
	if good != 1 || damaged != 1 || other != 2 {
		t.Errorf("%d good, %d damaged and %d others in %+v", good, damaged, other, all)
	}
}

// A sign-out deletes one record and nothing else, damaged or not.
//
// req: V05
func TestV05SignOut(t *testing.T) {
	store := newVault(t)
	for _, account := range []string{"", "work"} {
		keep(t, store, account, "https://server.example/mcp", nil)
	}
	keep(t, store, "", "https://server.example/other", nil)
	server := mustParse(t, "HTTPS://Server.example:443/mcp")
	if k, err := Find(t.Context(), store, "work", server); err != nil || k.Account != "work" {
		t.Errorf("Find = %+v, %v", k, err)
	}
	if err := Delete(t.Context(), store, "work", server); err != nil {
		t.Error(err)
	}
	if err := Delete(t.Context(), store, "work", server); !errors.Is(err, tokenvault.ErrNotFound) {
		t.Errorf("the second sign-out = %v, want ErrNotFound", err)
	}
	if _, err := Find(t.Context(), store, "work", server); !errors.Is(err, tokenvault.ErrNotFound) {
		t.Errorf("Find = %v, want ErrNotFound", err)
	}
	if all, err := List(t.Context(), store); err != nil || len(all) != 2 {
		t.Errorf("%d sign-ins are left, want 2 (%v)", len(all), err)
	}
}
