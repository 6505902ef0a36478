package signin

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/oauth2"

	"github.com/trestle-mcp/trestle/oauthloopback"
	"github.com/trestle-mcp/trestle/oauthloopback/loopbacktest"
)

// A stage is a receiver and the way to it.
type stage struct {
	t     *testing.T
	r     *oauthloopback.Receiver
	start oauthloopback.StartURL
	query string // of a good redirect
}

func newStage(t *testing.T, server *loopbacktest.Server) *stage {
	t.Helper()
	state := oauth2.GenerateVerifier()
	r, err := oauthloopback.Listen(t.Context(), oauthloopback.Config{
		State: oauthloopback.NewSecret(state), AppName: "mcp-bridge-vscode (trestle)", AllowLoopbackHTTP: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	config := oauth2.Config{ClientID: "client", RedirectURL: r.RedirectURI(), Endpoint: oauth2.Endpoint{AuthURL: server.AuthURL}}
	u, err := r.AuthURL(config.AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, r: r, query: "?code=abc&state=" + state}
	if s.start, err = r.Start(u); err != nil {
		t.Fatal(err)
	}
	return s
}

// visit asks for a page, as somebody else than the browser.
func (s *stage) visit(address string) {
	s.t.Helper()
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Get(address)
	if err != nil {
		s.t.Fatal(err)
	}
	resp.Body.Close()
}

func (s *stage) origin() string { return strings.TrimSuffix(s.r.RedirectURI(), "/callback") }

// pages are all that a receiver can show, and how a browser gets there.
var pages = []struct {
	name, text string
	lead       func(s *stage) (address string)
}{
	{"done", "You can close this tab and go back to mcp-bridge-vscode (trestle).", func(s *stage) string {
		return s.r.RedirectURI() + s.query
	}},
	{"reused", "This sign-in link was opened twice.", func(s *stage) string {
		s.visit(s.start.Raw())
		return s.start.Raw()
	}},
	{"late", "Another program possibly signed in with a different account.", func(s *stage) string {
		s.visit(s.start.Raw())
		s.visit(s.r.RedirectURI() + s.query)
		return s.start.Raw()
	}},
	{"over", "This sign-in is over.", func(s *stage) string {
		s.r.Abort()
		return s.r.RedirectURI() + s.query
	}},
	{"bad", "It may be from an older tab.", func(s *stage) string { return s.r.RedirectURI() + "?code=abc&state=old" }},
	{"not-found", "There is no page at this address.", func(s *stage) string { return s.origin() + "/" }},
	{"bad-request", "This request cannot be answered.", func(s *stage) string {
		return strings.Replace(s.origin(), "127.0.0.1", "localhost", 1) + "/"
	}},
	{"too-large", "The request is too large.", func(s *stage) string { return s.origin() + "/" + strings.Repeat("a", 17<<10) }},
}

// looks are the ways in which pictures of each page are taken. A width of 320 is what a
// window of 1280 has at a zoom of 400 %.
var looks = []struct {
	name, scheme, direction string
	width                   int
}{
	{"light", "light", "ltr", 800}, {"dark", "dark", "ltr", 800}, {"narrow", "light", "ltr", 320}, {"right-to-left", "dark", "rtl", 320},
}

// Each page shows its text in a real browser under its own policy, loads nothing, and
// fits a window of any width. go test -artifacts keeps the pictures.
//
// req: S09, S15, S16
func TestPages(t *testing.T) {
	server, err := loopbacktest.NewServer(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	b := newBrowser(t, "")
	first := newStage(t, server)
	if err := b.opener().Open(context.WithoutCancel(t.Context()), first.start); err != nil {
		t.Fatal(err)
	}
	b.meet()
	b.do("shown", arguments{"until": "/callback"})
	dir := t.ArtifactDir()
	for _, page := range pages {
		t.Run(page.name, func(t *testing.T) {
			s := newStage(t, server)
			_, text := b.do("go", arguments{"target": page.lead(s)})
			if !strings.Contains(text, page.text) {
				t.Errorf("the page shows %q, want %q", text, page.text)
			}
			if n, _ := b.do("foreign", nil); n != 0 {
				t.Errorf("%d elements that load, run or send something", n)
			}
			for _, look := range looks {
				b.do("picture", arguments{
					"into": filepath.Join(dir, page.name+"-"+look.name+".png"), "scheme": look.scheme, "width": look.width, "direction": look.direction,
				})
				if over, _ := b.do("overflow", nil); over > 0 {
					t.Errorf("%s: %d pixels over the width of the window", look.name, over)
				}
			}
		})
	}
	_, paths := b.close().to(strings.TrimPrefix(first.origin(), "http://"))
	t.Logf("the browser asked the first receiver for %q", paths)
}
