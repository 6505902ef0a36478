package signin

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/signintest"
	"github.com/trestle-mcp/trestle/mcpwire"
)

const (
	resourceAtPath = "/.well-known/oauth-protected-resource/mcp"
	resourceAtRoot = "/.well-known/oauth-protected-resource"
)

func causeOf(e *Error) mcpwire.Cause {
	if e == nil {
		return ""
	}
	return e.Cause
}

// The metadata of the server is looked for where its challenge says, before its path, and
// at the root; what is there decides.
//
// req: S18
func TestResourceOrder(t *testing.T) {
	const challenged = "/challenged"
	good := func(p *provider) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { signintest.SendJSON(w, http.StatusOK, p.Resource) }
	}
	foreign := func(w http.ResponseWriter, _ *http.Request) {
		signintest.SendJSON(w, http.StatusOK, object{"resource": "https://other.example/mcp", "authorization_servers": []string{"https://other.example"}})
	}
	for _, tt := range []struct {
		name      string
		challenge bool
		answers   map[string]http.HandlerFunc // nil: the metadata
		asked     []string
		cause     mcpwire.Cause
	}{
		{"challenge", true, map[string]http.HandlerFunc{challenged: nil}, []string{challenged}, ""},
		{"challenge that is not there", true, map[string]http.HandlerFunc{resourceAtPath: nil}, []string{challenged, resourceAtPath}, ""},
		{"challenge with an error", true, map[string]http.HandlerFunc{challenged: signintest.Status(500), resourceAtPath: nil}, []string{challenged, resourceAtPath}, ""},
		{"challenge that is too large", true, map[string]http.HandlerFunc{challenged: signintest.Content("application/json", strings.Repeat(" ", maxMetadata)+"{}"), resourceAtPath: nil},
			[]string{challenged, resourceAtPath}, ""},
		{"challenge with another resource", true, map[string]http.HandlerFunc{challenged: foreign, resourceAtPath: nil}, []string{challenged}, mcpwire.CauseResourceMismatch},
		{"path", false, map[string]http.HandlerFunc{resourceAtPath: nil, resourceAtRoot: foreign}, []string{resourceAtPath}, ""},
		{"root", false, map[string]http.HandlerFunc{resourceAtRoot: nil}, []string{resourceAtPath, resourceAtRoot}, ""},
		{"root behind a page for everything", false, map[string]http.HandlerFunc{resourceAtPath: signintest.Content("text/html", "<html>"), resourceAtRoot: nil},
			[]string{resourceAtPath, resourceAtRoot}, ""},
		{"root behind a redirect, which is not followed", false, map[string]http.HandlerFunc{resourceAtPath: http.RedirectHandler("/elsewhere", http.StatusTemporaryRedirect).ServeHTTP, resourceAtRoot: nil},
			[]string{resourceAtPath, resourceAtRoot}, ""},
		{"error at the path", false, map[string]http.HandlerFunc{resourceAtPath: signintest.Status(503), resourceAtRoot: nil}, []string{resourceAtPath}, mcpwire.CauseDiscoveryFailed},
		{"another resource at the path", false, map[string]http.HandlerFunc{resourceAtPath: foreign, resourceAtRoot: nil}, []string{resourceAtPath}, mcpwire.CauseResourceMismatch},
		{"no object at the path", false, map[string]http.HandlerFunc{resourceAtPath: signintest.Content("application/json", "[]"), resourceAtRoot: nil}, []string{resourceAtPath}, mcpwire.CauseDiscoveryFailed},
		{"too large at the path", false, map[string]http.HandlerFunc{resourceAtPath: signintest.Content("application/json", strings.Repeat(" ", maxMetadata-1)+"{}"), resourceAtRoot: nil},
			[]string{resourceAtPath}, mcpwire.CauseDiscoveryFailed},
		{"encoded at the path", false, map[string]http.HandlerFunc{resourceAtPath: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			signintest.Content("application/json", "{}")(w, r)
		}}, []string{resourceAtPath}, mcpwire.CauseDiscoveryFailed},
		{"nowhere", false, nil, []string{resourceAtPath, resourceAtRoot}, mcpwire.CauseNoResourceMetadata},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider(t)
			p.On[resourceAtPath] = http.NotFound
			for path, answer := range tt.answers {
				if p.On[path] = answer; answer == nil {
					p.On[path] = good(p)
				}
			}
			c := Challenge{Bearer: true}
			if tt.challenge {
				c.ResourceMetadata = p.URL + challenged
			}
			r, err := p.discovery(t, "/mcp").resource(t.Context(), c)
			if causeOf(err) != tt.cause {
				t.Fatalf("resource() = %+v, %v, want cause %q", r, err, tt.cause)
			}
			if err == nil && (r.id != p.URL+"/mcp" || !slices.Equal(r.issuers, []string{p.URL})) {
				t.Errorf("resource() = %+v", r)
			}
			var want []string
			for _, path := range tt.asked {
				want = append(want, "GET "+path)
			}
			p.wantRequests(t, want...)
			for _, q := range p.All() {
				if q.Header.Get("Accept") != "application/json" || q.Header.Get("Accept-Encoding") != "identity" || len(q.Header) > 3 { // User-Agent
					t.Errorf("headers %v", q.Header)
				}
			}
		})
	}
}

// A place that a challenge names is not asked again where it is the next one anyway.
//
// req: S18
func TestResourceURLThatComesTwice(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		asked  []string
		cause  mcpwire.Cause
	}{
		{"nothing there", http.NotFound, []string{"GET " + resourceAtPath, "GET " + resourceAtRoot}, mcpwire.CauseNoResourceMetadata},
		{"error", signintest.Status(503), []string{"GET " + resourceAtPath}, mcpwire.CauseDiscoveryFailed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider(t)
			p.On[resourceAtPath] = tt.answer
			_, err := p.discovery(t, "/mcp").resource(t.Context(), Challenge{Bearer: true, ResourceMetadata: p.URL + resourceAtPath})
			if causeOf(err) != tt.cause {
				t.Errorf("error %v, want cause %q", err, tt.cause)
			}
			p.wantRequests(t, tt.asked...)
		})
	}
}

// A challenge names only what may be fetched.
//
// req: S18
func TestResourceURLOfChallenge(t *testing.T) {
	for _, tt := range []struct{ name, url string }{
		{"no URL", "x"}, {"relative", "/m"}, {"http", "http://127.0.0.1/m"}, {"file", "file:///etc/passwd"},
		{"user", "https://u@127.0.0.1/m"}, {"fragment", "https://127.0.0.1/m#"}, {"port", "https://127.0.0.1:0/m"},
		{"metadata of a cloud", "https://169.254.169.254/m"}, {"blank", "https://127.0.0.1/ m"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider(t)
			if _, err := p.discovery(t, "/mcp").resource(t.Context(), Challenge{ResourceMetadata: tt.url}); err != nil {
				t.Error(err)
			}
			p.wantRequests(t, "GET "+resourceAtPath)
		})
	}
}

// req: S18
func TestCovers(t *testing.T) {
	for _, tt := range []struct {
		resource, server string
		want             bool
	}{
		{"https://h.example/mcp", "https://h.example/mcp", true},
		{"https://h.example/mcp/", "https://h.example/mcp", true},
		{"https://h.example/mcp", "https://h.example/mcp/", true},
		{"https://h.example", "https://h.example/mcp", true},
		{"https://h.example/", "https://h.example/mcp", true},
		{"https://h.example/a", "https://h.example/a/b", true},
		{"HTTPS://H.Example:443/mcp", "https://h.example/mcp", true},
		{"https://h.example/mcp", "https://h.example/mcp?key=1", true},
		{"https://h.example/mcp?key=1", "https://h.example/mcp?key=1", true},
		{"http://localhost/mcp", "http://localhost:80/mcp", true},
		{"https://[::1]/mcp", "https://[::1]:443/mcp", true},

		{"", "https://h.example/mcp", false},
		{"h.example/mcp", "https://h.example/mcp", false},
		{"http://h.example/mcp", "https://h.example/mcp", false},
		{"https://other.example/mcp", "https://h.example/mcp", false},
		{"https://h.example.evil.example/mcp", "https://h.example/mcp", false},
		{"https://h.example:444/mcp", "https://h.example/mcp", false},
		{"https://h.example/mc", "https://h.example/mcp", false},
		{"https://h.example/mcp/x", "https://h.example/mcp", false},
		{"https://h.example/MCP", "https://h.example/mcp", false},
		{"https://h.example/mcp?key=2", "https://h.example/mcp?key=1", false},
		{"https://h.example/mcp?key=1", "https://h.example/mcp", false},
		{"https://h.example/mcp?", "https://h.example/mcp", false},
		{"https://h.example/mcp#", "https://h.example/mcp", false},
		{"https://u@h.example/mcp", "https://h.example/mcp", false},
		{"https://h.example/%6Dcp", "https://h.example/mcp", false},
		{"https://h.example/mcp//", "https://h.example/mcp", false},
	} {
		server, err := url.Parse(tt.server)
		if err != nil {
			t.Fatal(err)
		}
		if got := covers(tt.resource, server); got != tt.want {
			t.Errorf("covers(%q, %q) = %v, want %v", tt.resource, tt.server, got, tt.want)
		}
	}
}

// What a server says about itself is refused where it cannot be right.
//
// req: S18
func TestResourceContent(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(p *provider)
		cause  mcpwire.Cause
	}{
		{"no authorization servers", func(p *provider) { delete(p.Resource, "authorization_servers") }, mcpwire.CauseNoAuthorizationServer},
		{"empty list of them", func(p *provider) { p.Resource["authorization_servers"] = []string{} }, mcpwire.CauseNoAuthorizationServer},
		{"one that is no list", func(p *provider) { p.Resource["authorization_servers"] = p.URL }, mcpwire.CauseNoAuthorizationServer},
		{"http", func(p *provider) { p.Resource["authorization_servers"] = []string{"http://127.0.0.1/"} }, mcpwire.CauseNoAuthorizationServer},
		{"query", func(p *provider) { p.Resource["authorization_servers"] = []string{p.URL + "?a"} }, mcpwire.CauseNoAuthorizationServer},
		{"address of a cloud", func(p *provider) { p.Resource["authorization_servers"] = []string{"https://169.254.169.254"} }, mcpwire.CauseNoAuthorizationServer},
		{"a good one behind a bad one", func(p *provider) { p.Resource["authorization_servers"] = []string{"ftp://x", p.URL} }, ""},
		{"tokens bound to a key", func(p *provider) { p.Resource["dpop_bound_access_tokens_required"] = true }, mcpwire.CauseDPoPRequired},
		{"no resource", func(p *provider) { delete(p.Resource, "resource") }, mcpwire.CauseResourceMismatch},
		{"name in another case", func(p *provider) {
			p.Resource["Resource"] = p.Resource["resource"]
			delete(p.Resource, "resource")
		}, mcpwire.CauseResourceMismatch},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider(t)
			tt.change(p)
			if _, err := p.discovery(t, "/mcp").resource(t.Context(), Challenge{}); causeOf(err) != tt.cause {
				t.Errorf("resource() = %v, want cause %q", err, tt.cause)
			}
		})
	}
}

// req: P07
func TestChooseIssuer(t *testing.T) {
	const a, b = "https://a.example", "https://b.example/t"
	for _, tt := range []struct {
		name                   string
		listed                 []string
		configured, kept, want string
		cause                  mcpwire.Cause
	}{
		{"first", []string{a, b}, "", "", a, ""},
		{"the one of the sign-in that is kept", []string{a, b}, "", b, b, ""},
		{"first, where the kept one is gone", []string{a}, "", b, a, ""},
		{"configured", []string{a, b}, b, a, b, ""},
		{"configured with a slash", []string{b, a}, a + "/", "", a + "/", ""},
		{"configured without a slash", []string{a + "/"}, a, "", a, ""},
		{"slash of a path", []string{b}, b + "/", "", "", mcpwire.CauseIssuerNotRegistered},
		{"not listed", []string{a}, b, "", "", mcpwire.CauseIssuerNotRegistered},
		{"kept one with a slash", []string{b, a}, "", a + "/", b, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := chooseIssuer(tt.listed, tt.configured, tt.kept)
			if got != tt.want || causeOf(err) != tt.cause {
				t.Errorf("chooseIssuer() = %q, %v, want %q, cause %q", got, err, tt.want, tt.cause)
			}
		})
	}
}

// blackHole answers nothing.
type blackHole struct{}

func (blackHole) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// A request has a time of its own, and who gives up is not told that a server is slow.
//
// req: S18, S22
func TestTimeOfARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, _ := url.Parse("https://h.example/mcp")
		d := &discovery{web: web{&http.Client{Transport: blackHole{}}}, server: server}
		start := time.Now()
		_, err := d.resource(t.Context(), Challenge{})
		if causeOf(err) != mcpwire.CauseDiscoveryFailed || err.Detail != DetailSlow || time.Since(start) != requestTime {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err = d.resource(ctx, Challenge{})
		if causeOf(err) != mcpwire.CauseDiscoveryFailed || err.Detail != DetailSlow {
			t.Errorf("at the end of all requests: %v", err)
		}
		cancel()
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err = d.resource(ctx, Challenge{})
		if causeOf(err) != mcpwire.CauseSignInAborted || !errors.Is(err, context.Canceled) {
			t.Errorf("after a cancel: %v", err)
		}
	})
}
