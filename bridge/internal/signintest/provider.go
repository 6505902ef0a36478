// Package signintest has, for tests, a server that wants a sign-in, and the authorization
// server that it names.
package signintest

import (
	"encoding/json"
	"fmt"
	"io"
	stdlog "log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/oauth2"
)

// Object is a JSON object as a test writes it.
type Object = map[string]any

// A Provider is a server that wants a sign-in, and the authorization server that it
// names, behind https with a certificate that nobody else trusts. A test changes what it
// says before it is asked.
type Provider struct {
	*httptest.Server
	Resource Object                      // metadata of the server, at path /mcp
	Metadata Object                      // metadata of the authorization server, whose issuer is the URL
	On       map[string]http.HandlerFunc // answers of the test, by path

	Redirect func(url.Values) // changes the query of each redirect; may be nil
	Token    func(Object)     // changes each token answer; may be nil

	// Serve answers the requests to /mcp that come with a token of the provider. The others
	// are refused.
	Serve http.Handler

	mu     sync.Mutex // guards the fields below
	log    []Asked
	codes  map[string]url.Values // requests, by the code that each was given
	tokens int                   // answers
	live   map[string]bool       // access tokens
}

// Asked is a request that a provider got.
type Asked struct {
	Method, Path string
	Header       http.Header
	Query, Form  url.Values
	Body         string
}

// New starts a Provider, which ends with the test.
func New(t testing.TB) *Provider {
	t.Helper()
	p := &Provider{On: map[string]http.HandlerFunc{}, codes: map[string]url.Values{}, live: map[string]bool{}}
	p.Server = httptest.NewUnstartedServer(p)
	p.Config.ErrorLog = stdlog.New(io.Discard, "", 0)
	p.StartTLS()
	t.Cleanup(p.Close)
	p.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	p.Resource = Object{"resource": p.URL + "/mcp", "authorization_servers": []string{p.URL}}
	p.Metadata = Object{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
		"registration_endpoint": p.URL + "/register", "response_types_supported": []string{"code"},
		"code_challenge_methods_supported":               []string{"S256"},
		"token_endpoint_auth_methods_supported":          []string{"none", "client_secret_basic", "client_secret_post"},
		"authorization_response_iss_parameter_supported": true,
	}
	return p
}

// ServeHTTP answers a request.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := Asked{Method: r.Method, Path: r.URL.EscapedPath(), Header: r.Header, Query: r.URL.Query()}
	if body, err := io.ReadAll(r.Body); err == nil {
		q.Body = string(body)
		q.Form, _ = url.ParseQuery(q.Body)
	}
	p.mu.Lock()
	p.log = append(p.log, q)
	p.mu.Unlock()
	r.Body = io.NopCloser(strings.NewReader(q.Body))
	if answer := p.On[q.Path]; answer != nil {
		answer(w, r)
		return
	}
	switch q.Path {
	case "/.well-known/oauth-protected-resource/mcp":
		SendJSON(w, http.StatusOK, p.Resource)
	case "/.well-known/oauth-authorization-server":
		SendJSON(w, http.StatusOK, p.Metadata)
	case "/register":
		p.register(w, q)
	case "/authorize":
		p.authorize(w, r, q.Query)
	case "/token":
		p.Exchange(w, q)
	case "/mcp":
		p.Guard(w, r)
	default:
		http.NotFound(w, r)
	}
}

// Guard lets requests in that come with a token.
func (p *Provider) Guard(w http.ResponseWriter, r *http.Request) {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	p.mu.Lock()
	live := p.live[token]
	p.mu.Unlock()
	if !live || p.Serve == nil {
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+p.URL+`/.well-known/oauth-protected-resource/mcp"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	p.Serve.ServeHTTP(w, r)
}

// Revoke makes every access token of before worthless.
func (p *Provider) Revoke() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.live)
}

// authorize sends the browser back at once.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request, query url.Values) {
	p.mu.Lock()
	code := fmt.Sprintf("marker-code-%d", len(p.codes))
	p.codes[code] = query
	p.mu.Unlock()
	back := url.Values{"state": query["state"], "iss": {p.URL}, "code": {code}}
	if p.Redirect != nil {
		p.Redirect(back)
	}
	http.Redirect(w, r, query.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

// Exchange answers a token request. It takes each code once, with all that belongs to it, and every refresh token.
func (p *Provider) Exchange(w http.ResponseWriter, q Asked) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if q.Form.Get("grant_type") == "authorization_code" {
		code := q.Form.Get("code")
		of, known := p.codes[code]
		delete(p.codes, code)
		if !known || oauth2.S256ChallengeFromVerifier(q.Form.Get("code_verifier")) != of.Get("code_challenge") ||
			q.Form.Get("redirect_uri") != of.Get("redirect_uri") || q.Form.Get("resource") != of.Get("resource") {
			SendJSON(w, http.StatusBadRequest, Object{"error": "invalid_grant"})
			return
		}
		p.codes[code+" used"] = nil
	}
	p.tokens++
	answer := Object{
		"access_token": fmt.Sprintf("marker-access-%d", p.tokens), "refresh_token": fmt.Sprintf("marker-refresh-%d", p.tokens),
		"token_type": "Bearer", "expires_in": 3600,
	}
	if p.Token != nil {
		p.Token(answer)
	}
	if token, ok := answer["access_token"].(string); ok {
		p.live[token] = true
	}
	SendJSON(w, http.StatusOK, answer)
}

// register gives each client another id, and a secret if it wants to prove itself by one.
func (p *Provider) register(w http.ResponseWriter, q Asked) {
	var body Object
	if err := json.Unmarshal([]byte(q.Body), &body); err != nil || body["application_type"] != "native" {
		SendJSON(w, http.StatusBadRequest, Object{"error": "invalid_client_metadata"})
		return
	}
	body["client_id"] = fmt.Sprintf("registered-%d", len(p.Asked("/register")))
	if body["token_endpoint_auth_method"] != "none" {
		body["client_secret"], body["client_secret_expires_at"] = "registered secret", 0
	}
	SendJSON(w, http.StatusCreated, body)
}

// SendJSON answers with an object.
func SendJSON(w http.ResponseWriter, status int, body Object) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

// Status answers with a status alone.
func Status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// Content answers with 200 and a body of a type.
func Content(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		io.WriteString(w, body)
	}
}

// All returns the requests.
func (p *Provider) All() []Asked {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.log)
}

// Requests returns what the provider was asked, as "GET /path".
func (p *Provider) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]string, len(p.log))
	for i, q := range p.log {
		all[i] = q.Method + " " + q.Path
	}
	return all
}

// Count returns how many requests there were for a path.
func (p *Provider) Count(path string) int { return len(p.Asked(path)) }

// Asked returns the requests for a path.
func (p *Provider) Asked(path string) []Asked {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.log), func(q Asked) bool { return q.Path != path })
}
