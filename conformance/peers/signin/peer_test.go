package signin

import (
	"bufio"
	"encoding/json"
	"io"
	"maps"
	"os/exec"
	"slices"
	"sync"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/internal/program"
)

// A peer is an authorization server and an MCP server that wants its tokens.
type peer struct {
	authority
	t        *testing.T
	Issuer   string
	URL      string // of the MCP server
	Metadata string // where documents about clients are: the port of the redirect is to be added

	mu  sync.Mutex // guards the pipes
	in  io.Writer
	out *bufio.Reader
}

func newPeer(t *testing.T, options ...string) *peer {
	t.Helper()
	a := newAuthority(t)
	p := &peer{t: t, authority: a}
	cmd := exec.Command(node(t), append([]string{"peer.mjs", a.certificate, a.own, a.root}, options...)...)
	cmd.Stderr = t.Output()
	started, err := program.Start(cmd, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(started.Stop)
	p.in, p.out = started.In, started.Out
	return p
}

// do has the peer do something, and decodes what comes of it into answer, which may be nil.
func (p *peer) do(action string, args arguments, answer any) {
	p.t.Helper()
	line := arguments{"action": action}
	maps.Copy(line, args)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := json.NewEncoder(p.in).Encode(line); err != nil {
		p.t.Fatal(err)
	}
	got, err := p.out.ReadBytes('\n')
	if err != nil {
		p.t.Fatalf("%s: %v", action, err)
	}
	if answer != nil {
		if err := json.Unmarshal(got, answer); err != nil {
			p.t.Fatalf("%s: %v", action, err)
		}
	}
}

// lives sets how many seconds an access token is good for.
func (p *peer) lives(seconds int) { p.do("lifetime", arguments{"seconds": seconds}, nil) }

// revoke makes all tokens void that were given out.
func (p *peer) revoke() {
	p.do("revokeAccess", nil, nil)
	p.do("revokeRefresh", nil, nil)
}

// An answer is what a path answers whatever is asked.
type answer struct {
	Status int               `json:"status"`
	Header map[string]string `json:"header"`
	Body   string            `json:"body"`
}

// answers replaces what paths answer, until the end of the test or subtest.
func (p *peer) answers(t *testing.T, answers map[string]answer) {
	p.do("instead", arguments{"answers": answers}, nil)
	t.Cleanup(func() { p.do("instead", nil, nil) })
}

// patched changes members of the documents at paths, until the end of the test or subtest.
func (p *peer) patched(t *testing.T, documents map[string]object) {
	p.do("patch", arguments{"documents": documents}, nil)
	t.Cleanup(func() { p.do("patch", nil, nil) })
}

// An asked is a request that came to the peer.
type asked struct {
	Server, Method, Path string
	Authorization        string // at the authorization server only the scheme
	Key                  string // the header X-Key
	Params               map[string]any
	Status               int
}

// text returns a parameter of the request, or nothing.
func (a asked) text(name string) string {
	s, _ := a.Params[name].(string)
	return s
}

// A mark is a point in time in what a peer was asked.
type mark int

func (p *peer) mark() mark { return mark(len(p.since(0))) }

// since returns what was asked since m, of the paths that are given, or of all.
func (p *peer) since(m mark, paths ...string) []asked {
	p.t.Helper()
	var all []asked
	p.do("requests", nil, &all)
	return slices.DeleteFunc(all[m:], func(a asked) bool { return len(paths) > 0 && !slices.Contains(paths, a.Path) })
}

// granted returns the requests for tokens since m of one kind.
func (p *peer) granted(m mark, kind string) []asked {
	p.t.Helper()
	return slices.DeleteFunc(p.since(m, "/token"), func(a asked) bool { return a.text("grant_type") != kind })
}

// The kinds of requests for tokens.
const (
	byCode    = "authorization_code"
	byRefresh = "refresh_token"
)

// wants fails the test if the peer was asked something else than this many times to sign
// somebody in, for tokens, and to register a client.
func (p *peer) wants(t *testing.T, m mark, signIns, refreshes, clients int) {
	t.Helper()
	got := []int{len(p.since(m, "/auth")), len(p.granted(m, byCode)), len(p.granted(m, byRefresh)), len(p.since(m, "/reg"))}
	if want := []int{signIns, signIns, refreshes, clients}; !slices.Equal(got, want) {
		t.Errorf("%v authorization requests, codes, refreshes and registrations, want %v", got, want)
	}
}

// given are the tokens that were given out.
type given struct{ Access, Refresh []string }

func (p *peer) tokens() (g given) {
	p.t.Helper()
	p.do("tokens", nil, &g)
	return g
}
