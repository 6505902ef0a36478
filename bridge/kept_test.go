package bridge

import (
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// The functions for a store say no more than they may, and refuse a URL that no session can
// have.
//
// req: V05 X06
func TestV05SignOutOfAStore(t *testing.T) {
	store, err := tokenvault.Open(t.Context(), tokenvault.Config{Mode: tokenvault.Memory})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	const url = "https://server.example/s3cret"
	if _, found, err := FindSignIn(t.Context(), store, "", url); found || err != nil {
		t.Errorf("FindSignIn = %v, %v; want none", found, err)
	}
	if deleted, err := SignOut(t.Context(), store, "", url); deleted || err != nil {
		t.Errorf("SignOut = %v, %v; want none", deleted, err)
	}
	if all, err := KeptSignIns(t.Context(), store); len(all) != 0 || err != nil {
		t.Errorf("KeptSignIns = %v, %v; want none", all, err)
	}
	for _, bad := range []string{"http://s3cret.example/", "https://user:s3cret@server.example/", "s3cret"} {
		if _, err := SignOut(t.Context(), store, "", bad); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("SignOut of %q = %v", bad, err)
		}
		if _, _, err := FindSignIn(t.Context(), store, "", bad); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("FindSignIn of %q = %v", bad, err)
		}
	}
	store.Close()
	if _, err := SignOut(t.Context(), store, "", url); err == nil {
		t.Error("SignOut of a closed store has no error")
	}
	if _, err := KeptSignIns(t.Context(), store); err == nil {
		t.Error("KeptSignIns of a closed store has no error")
	}
}
