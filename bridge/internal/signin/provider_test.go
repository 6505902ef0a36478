package signin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	stdlog "log"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/oauth2"

	"github.com/trestle-mcp/trestle/tokenvault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// object is a JSON object as a test writes it.
type object = map[string]any

// A provider is a server that wants a sign-in, and the authorization server that it
// names, behind https with a certificate that nobody else trusts. A test changes what it
// says before it is asked.
type provider struct {
	*httptest.Server
	resource object                      // metadata of the server, at path /mcp
	metadata object                      // metadata of the authorization server, whose issuer is the URL
	on       map[string]http.HandlerFunc // answers of the test, by path

	redirect func(url.Values) // changes the query of each redirect; may be nil
	token    func(object)     // changes each token answer; may be nil

	mu     sync.Mutex // guards the fields below
	log    []asked
	codes  map[string]url.Values // requests, by the code that each was given
	tokens int                   // answers
}

// asked is a request that a provider got.
type asked struct {
	method, path string
	header       http.Header
	query, form  url.Values
	body         string
}

func newProvider(t testing.TB) *provider {
	t.Helper()
	p := &provider{on: map[string]http.HandlerFunc{}, codes: map[string]url.Values{}}
	p.Server = httptest.NewUnstartedServer(p)
	p.Config.ErrorLog = stdlog.New(io.Discard, "", 0)
	p.StartTLS()
	t.Cleanup(p.Close)
	p.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	p.resource = object{"resource": p.URL + "/mcp", "authorization_servers": []string{p.URL}}
	p.metadata = object{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
		"registration_endpoint": p.URL + "/register", "response_types_supported": []string{"code"},
		"code_challenge_methods_supported":               []string{"S256"},
		"token_endpoint_auth_methods_supported":          []string{"none", "client_secret_basic", "client_secret_post"},
		"authorization_response_iss_parameter_supported": true,
	}
	return p
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := asked{method: r.Method, path: r.URL.EscapedPath(), header: r.Header, query: r.URL.Query()}
	if body, err := io.ReadAll(r.Body); err == nil {
		q.body = string(body)
		q.form, _ = url.ParseQuery(q.body)
	}
	p.mu.Lock()
	p.log = append(p.log, q)
	p.mu.Unlock()
	r.Body = io.NopCloser(strings.NewReader(q.body))
	if answer := p.on[q.path]; answer != nil {
		answer(w, r)
		return
	}
	switch q.path {
	case "/.well-known/oauth-protected-resource/mcp":
		sendJSON(w, http.StatusOK, p.resource)
	case "/.well-known/oauth-authorization-server":
		sendJSON(w, http.StatusOK, p.metadata)
	case "/register":
		p.register(w, q)
	case "/authorize":
		p.authorize(w, r, q.query)
	case "/token":
		p.exchange(w, q)
	default:
		http.NotFound(w, r)
	}
}

// authorize sends the browser back at once.
func (p *provider) authorize(w http.ResponseWriter, r *http.Request, query url.Values) {
	p.mu.Lock()
	code := fmt.Sprintf("marker-code-%d", len(p.codes))
	p.codes[code] = query
	p.mu.Unlock()
	back := url.Values{"state": query["state"], "iss": {p.URL}, "code": {code}}
	if p.redirect != nil {
		p.redirect(back)
	}
	http.Redirect(w, r, query.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

// exchange takes each code once, with all that belongs to it, and every refresh token.
func (p *provider) exchange(w http.ResponseWriter, q asked) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if q.form.Get("grant_type") == grantCode {
		code := q.form.Get("code")
		of, known := p.codes[code]
		delete(p.codes, code)
		if !known || oauth2.S256ChallengeFromVerifier(q.form.Get("code_verifier")) != of.Get("code_challenge") ||
			q.form.Get("redirect_uri") != of.Get("redirect_uri") || q.form.Get("resource") != of.Get("resource") {
			sendJSON(w, http.StatusBadRequest, object{"error": "invalid_grant"})
			return
		}
		p.codes[code+" used"] = nil
	}
	p.tokens++
	answer := object{
		"access_token": fmt.Sprintf("marker-access-%d", p.tokens), "refresh_token": fmt.Sprintf("marker-refresh-%d", p.tokens),
		"token_type": "Bearer", "expires_in": 3600,
	}
	if p.token != nil {
		p.token(answer)
	}
	sendJSON(w, http.StatusOK, answer)
}

// register gives each client another id, and a secret if it wants to prove itself by one.
func (p *provider) register(w http.ResponseWriter, q asked) {
	var body object
	if err := json.Unmarshal([]byte(q.body), &body); err != nil || body["application_type"] != "native" {
		sendJSON(w, http.StatusBadRequest, object{"error": "invalid_client_metadata"})
		return
	}
	body["client_id"] = fmt.Sprintf("registered-%d", len(p.asked("/register")))
	if body["token_endpoint_auth_method"] != methodNone {
		body["client_secret"], body["client_secret_expires_at"] = "registered secret", 0
	}
	sendJSON(w, http.StatusCreated, body)
}

func sendJSON(w http.ResponseWriter, status int, body object) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

// status answers with a status alone.
func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// content answers with 200 and a body of a type.
func content(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		io.WriteString(w, body)
	}
}

// requests returns what the provider was asked, as "GET /path".
func (p *provider) requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]string, len(p.log))
	for i, q := range p.log {
		all[i] = q.method + " " + q.path
	}
	return all
}

// asked returns the requests for a path.
func (p *provider) asked(path string) []asked {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.log), func(q asked) bool { return q.path != path })
}

func (p *provider) wantRequests(t testing.TB, want ...string) {
	t.Helper()
	if got := p.requests(); !slices.Equal(got, want) {
		t.Errorf("requests %q, want %q", got, want)
	}
}

// parsed returns the URL of a path.
func (p *provider) parsed(t testing.TB, path string) *url.URL {
	t.Helper()
	u, err := url.Parse(p.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// web is a client as the bridge makes it.
func (p *provider) web(t testing.TB) web {
	t.Cleanup(p.Client().CloseIdleConnections)
	return web{p.Client()}
}

// discovery finds out who gives tokens for a path of the provider.
func (p *provider) discovery(t testing.TB, path string) *discovery {
	server := p.parsed(t, path)
	return &discovery{
		web: p.web(t), server: server,
		policy: AddressPolicy{URL: server, Server: func() netip.Addr { return netip.MustParseAddr("127.0.0.1") }},
	}
}

// fuzzed is a discovery that asks nobody.
func fuzzed(t testing.TB) *discovery {
	server, err := url.Parse("https://h.example/mcp")
	if err != nil {
		t.Fatal(err)
	}
	return &discovery{server: server, policy: AddressPolicy{URL: server, Server: func() netip.Addr { return netip.Addr{} }}}
}

// newVault keeps records in memory.
func newVault(t testing.TB) *tokenvault.Vault {
	t.Helper()
	v, err := tokenvault.Open(context.Background(), tokenvault.Config{Mode: tokenvault.Memory})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

// contextWith makes a library use a client.
func contextWith(t testing.TB, c *http.Client) context.Context {
	return context.WithValue(t.Context(), oauth2.HTTPClient, c)
}
