package mcpwire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
)

// Only a page that an upstream could have shown is shown, as it is.
//
// req: S05, I02
func TestT134URL(t *testing.T) {
	for _, tt := range []struct{ name, url, want string }{
		{"https", signInPage, signInPage},
		{"this host", "http://127.0.0.1:8123/authorize?a=b&c=%22", "http://127.0.0.1:8123/authorize?a=b&c=%22"},
		{"http", "http://auth.example/", ""},
		{"user information", "https://a@auth.example/", ""},
		{"no URL", "javascript:alert(1)", ""},
		{"none", "", ""},
		{"too long", "https://auth.example/" + strings.Repeat("x", maxElicitationURL), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := opened(t, Options{Rand: zeros{}})
			var out Steps
			a := p.session.Ask(p.now, Question{URL: tt.url, Host: "h"}, &out)
			if tt.want == "" {
				if a != nil || len(out.ToFront) > 0 {
					t.Errorf("asked: %v", out.ToFront)
				}
				return
			}
			if got := putTo(t, &out).URL; got != tt.want {
				t.Errorf("URL %q, want %q", got, tt.want)
			}
		})
	}
}

// putParams are the parameters of a question, as the schema of 2025-11-25 has them.
type putParams struct {
	Mode, Message, URL, ElicitationID string
}

// putTo returns the parameters of the one question in out.
func putTo(t *testing.T, out *Steps) putParams {
	t.Helper()
	if len(out.ToFront) != 1 || len(out.Log) != 0 {
		t.Fatalf("%d frames and the log %v, want one frame", len(out.ToFront), out.Log)
	}
	var q struct {
		JSONRPC, ID, Method string
		Params              putParams
	}
	d := json.NewDecoder(bytes.NewReader(out.ToFront[0].AppendTo(nil)))
	d.DisallowUnknownFields()
	if err := d.Decode(&q); err != nil || q.ID != "b-1" || q.Method != methodElicit || q.Params.Mode != "url" || q.Params.ElicitationID != firstURL {
		t.Fatalf("%+v, %v", q, err)
	}
	return q.Params
}

// req: P04
func TestQuestionIsNotPrinted(t *testing.T) {
	q := Question{URL: signInPage, Host: "a.example", Scopes: "repo"}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("m", "q", q, "in", []any{q, &q})
	for _, got := range []string{fmt.Sprintf("%v %+v %#v %s %q %x %d", q, q, q, q, q, q, q), fmt.Sprintf("%+v", []any{&q, struct{ Q Question }{q}}), log.String()} {
		if strings.Contains(got, "example") || strings.Contains(got, "repo") || !strings.Contains(got, redacted) {
			t.Errorf("printed %s", got)
		}
	}
	if b, err := json.Marshal(q); err == nil {
		t.Errorf("encoded %s", b)
	}
}

// Host and scopes are of others, and are shown as names or not at all.
//
// req: S05
func TestT134Message(t *testing.T) {
	const want = " wants you to sign in. Open the page to go on."
	long := strings.Repeat("x", maxShownScopes)
	for _, tt := range []struct{ name, host, scopes, want string }{
		{"a host", "mcp.example", "", "mcp.example" + want},
		{"a port", "MCP.example:8443", "", "mcp.example:8443" + want},
		{"an address", "[::1]:8443", "", "[::1]:8443" + want},
		{"not ASCII", "bücher.example", "", "xn--bcher-kva.example" + want},
		{"no host", "", "", "The server" + want},
		{"a host that is none", "a.example\n[Click](https://evil.example)", "", "The server" + want},
		{"user information", "a@b.example", "", "The server" + want},
		{"scopes", "a.example", "repo  read:org https://a.example/auth_x", "a.example" + want + " It asks for: repo, read:org, https://a.example/auth_x."},
		{"scopes that are no names", "a.example", "repo [click](https://evil.example) a\u202eb `c`", "a.example" + want + " It asks for: repo, 3 more."},
		{"nothing but such a scope", "a.example", "<b>", "a.example" + want + " It asks for: one more."},
		{"as many as fit", "a.example", long + " a", "a.example" + want + " It asks for: " + long + ", one more."},
		{"a long one", "a.example", "a x" + long + " b", "a.example" + want + " It asks for: a, b, one more."},
		{"blanks", "a.example", " \n ", "a.example" + want},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := opened(t, Options{Rand: zeros{}})
			var out Steps
			p.session.Ask(p.now, Question{URL: signInPage, Host: tt.host, Scopes: tt.scopes}, &out)
			if got := putTo(t, &out).Message; got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// Each question has an id of its own that nobody can guess (T123).
//
// req: I09
func TestT134ElicitationID(t *testing.T) {
	p := opened(t, Options{Rand: strings.NewReader(strings.Repeat("a", 16) + strings.Repeat("b", 16) + "too short")})
	ids := make(map[string]bool)
	for range 2 {
		var out Steps
		a := p.session.Ask(p.now, Question{URL: signInPage}, &out)
		ids[a.id] = strings.HasPrefix(a.id, "e-") && len(a.id) == len(firstURL)
	}
	if len(ids) != 2 || slices.Contains([]bool{ids["e-YWFhYWFhYWFhYWFhYWFhYQ"], ids["e-YmJiYmJiYmJiYmJiYmJiYg"]}, false) {
		t.Errorf("ids %v", ids)
	}
	var out Steps
	if a := p.session.Ask(p.now, Question{URL: signInPage}, &out); a != nil || len(out.ToFront) > 0 {
		t.Error("asked without random bytes")
	}
}
