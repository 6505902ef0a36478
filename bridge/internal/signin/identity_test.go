package signin

import (
	"net/url"
	"strings"
	"testing"
)

// Who the bridge is must stay, or every sign-in is lost; and it is not an editor.
//
// req: S11
func TestS11Identity(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{clientName, "mcp-bridge-vscode (trestle)"}, {appName, "mcp-bridge-vscode"}, {identity, "mcp-bridge-vscode"},
		{signInID("work", mustParse(t, "https://h.example/mcp?k=1")).Key, "7322d4a2ece5a2fcc69643b4811bde2c89211170e915cfcc2abd9867cd81c921"},
		{clientRecordID("https://as.example", testRedirect).Key, "6ad95be7c21836e7a6b416e1d1e59909e6924c6a23576887b2a99001cac67b0a"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
		if strings.Contains(tt.got, "Visual") || strings.Contains(tt.got, "Code") {
			t.Errorf("%q has the name of an editor", tt.got)
		}
	}
}

func mustParse(t testing.TB, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// The record of a sign-in belongs to an account and a URL, whatever way they are written.
//
// req: V05
func TestV05Keys(t *testing.T) {
	const base = "https://h.example/mcp"
	key := func(account, server string) string { return signInID(account, mustParse(t, server)).Key }
	for _, same := range []string{"HTTPS://H.Example/mcp", "https://h.example:443/mcp"} {
		if key("", same) != key("", base) {
			t.Errorf("%s has another key than %s", same, base)
		}
	}
	if key("", "https://h.example") != key("", "https://h.example/") {
		t.Error("an empty path has another key than /")
	}
	seen := map[string]string{key("", base): base}
	for _, other := range []string{
		"http://h.example/mcp", "https://h.example:8443/mcp", "https://h.example/mcp/", "https://h.example/MCP", "https://h.example/mcp?a=1",
		"https://h.example/mcp?a=2", "https://other.example/mcp", "https://h.example/%6Dcp",
	} {
		k := key("", other)
		if seen[k] != "" {
			t.Errorf("%s has the key of %s", other, seen[k])
		}
		seen[k] = other
		if strings.Contains(k, "example") {
			t.Errorf("key %q holds a name", k)
		}
	}
	if key("work", base) == key("", base) {
		t.Error("two accounts have one key")
	}
	if clientRecordID("a", "bc").Key == clientRecordID("ab", "c").Key {
		t.Error("two issuers have one key")
	}
}
