package signin

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// req: S18
func TestScopes(t *testing.T) {
	for _, tt := range []struct {
		name string
		want want
		got  string
	}{
		{"nothing", want{}, ""},
		{"of the challenge", want{challenged: scopes{"a"}, resource: []string{"b"}}, "a"},
		{"of the resource", want{resource: []string{"b", "c"}}, "b c"},
		{"empty list of the resource", want{resource: []string{}}, ""},
		{"configured ones are added", want{challenged: scopes{"a"}, resource: []string{"b"}, configured: []string{"c", "a"}}, "a c"},
		{"configured ones alone", want{configured: []string{"c"}}, "c"},
		{"step-up", want{before: scopes{"a", "b"}, challenged: scopes{"c", "a"}, resource: []string{"d"}}, "a b c"},
		{"sign-in again", want{before: scopes{"a", "b"}, resource: []string{"d"}}, "a b"},
		{"sign-in again, without a refresh token", want{before: scopes{"a", scopeOffline}, challenged: scopes{"b"}}, "a b"},
		{"what is no scope", want{resource: []string{"a b", "", "c\"", "d\\", "é", "e", "e"}}, "e"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.want.scopes().String(); got != tt.got {
				t.Errorf("scopes() = %q, want %q", got, tt.got)
			}
		})
	}
}

// req: S18
func TestScopeLimits(t *testing.T) {
	var many []string
	for i := range maxScopes + 1 {
		many = append(many, "s"+strconv.Itoa(i))
	}
	if got := len(scopes(nil).union(many)); got != maxScopes {
		t.Errorf("%d scopes, want %d", got, maxScopes)
	}
	long := strings.Repeat("a", maxScopeBytes-1)
	for _, tt := range []struct {
		text string
		want int
	}{{long, 1}, {long + "a", 0}, {"b " + long[2:], 2}, {"b " + long[1:], 1}} {
		if got := len(parseScopes(tt.text)); got != tt.want {
			t.Errorf("%d scopes of %d bytes, want %d", got, len(tt.text), tt.want)
		}
	}
}

// req: S18
func TestOfflineAccess(t *testing.T) {
	for _, tt := range []struct {
		name string
		s    authServer
		want bool
	}{
		{"not listed", authServer{scopes: []string{"a"}}, false},
		{"listed", authServer{scopes: []string{"a", scopeOffline}}, true},
		{"listed, and no refresh", authServer{scopes: []string{scopeOffline}, grants: []string{grantCode}}, false},
		{"listed, and refresh", authServer{scopes: []string{scopeOffline}, grants: []string{grantCode, grantRefresh}}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.s.hasOffline(); got != tt.want {
				t.Errorf("hasOffline() = %v, want %v", got, tt.want)
			}
		})
	}
}

// What an authorization server does not list any more, or has refused, is not asked for
// because an earlier sign-in did.
//
// req: S18
func TestOfflineAccessIsDecidedAnew(t *testing.T) {
	p := newProvider(t)
	p.Resource["scopes_supported"] = []string{"read"}
	p.Metadata["scopes_supported"] = []string{scopeOffline}
	c, _ := p.coordinator(t, nil)
	c.signedIn(t)
	delete(p.Metadata, "scopes_supported")
	next, _ := p.coordinator(t, func(o *Options) { o.Vault = c.o.Vault })
	_, gen := next.Token(t.Context())
	if err := next.Challenged(t.Context(), refused(gen), new(Budget)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range p.Asked("/authorize") {
		got = append(got, q.Query.Get("scope")+" "+q.Query.Get("prompt"))
	}
	if want := []string{"read offline_access consent", "read "}; !slices.Equal(got, want) {
		t.Errorf("asked for %q, want %q", got, want)
	}
}
