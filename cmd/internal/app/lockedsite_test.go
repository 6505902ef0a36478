package app

import (
	"crypto/rand"
	"encoding/json"
	"encoding/pem"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A lockedSite is a site that wants a sign-in, and the authorization server for it.
type lockedSite struct {
	*site
	mu     sync.Mutex // guards the fields below
	tokens map[string]bool
	asked  []string     // the paths that were asked for, but for those of MCP
	forms  []url.Values // of token requests and of authorization requests
}

func newLockedSite(t *testing.T) *lockedSite {
	s := &lockedSite{site: &site{}, tokens: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /m4rk3r", func(w http.ResponseWriter, r *http.Request) {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		s.mu.Lock()
		known := s.tokens[token]
		s.mu.Unlock()
		if !known {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+s.URL+`/.well-known/oauth-protected-resource/m4rk3r", scope="read"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		s.serve(w, r)
	})
	for path, answer := range map[string]func(url.Values) any{
		"/.well-known/oauth-protected-resource/m4rk3r": s.resource, "/.well-known/oauth-authorization-server": s.metadata,
		"/register": s.register, "/token": s.token,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			r.ParseForm()
			s.note(r)
			w.Header().Set("Content-Type", "application/json")
			if path == "/register" {
				w.WriteHeader(http.StatusCreated)
			}
			json.NewEncoder(w).Encode(answer(r.Form))
		})
	}
	mux.HandleFunc("GET /authorize", func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		s.note(r)
		back := url.Values{"code": {"m4rk3r-code"}, "state": r.Form["state"], "iss": {s.URL}}
		http.Redirect(w, r, r.Form.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
	})
	s.start(t, mux)
	return s
}

func (s *lockedSite) note(r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.URL.Path)
	s.forms = append(s.forms, maps.Clone(r.Form))
}

func (s *lockedSite) resource(url.Values) any {
	return map[string]any{"resource": s.URL + "/m4rk3r", "authorization_servers": []string{s.URL}}
}

func (s *lockedSite) metadata(url.Values) any {
	return map[string]any{
		"issuer": s.URL, "authorization_endpoint": s.URL + "/authorize", "token_endpoint": s.URL + "/token", "registration_endpoint": s.URL + "/register",
		"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"},
		"token_endpoint_auth_methods_supported":          []string{"none", "client_secret_post"},
		"authorization_response_iss_parameter_supported": true, "client_id_metadata_document_supported": true,
	}
}

func (s *lockedSite) register(url.Values) any {
	return map[string]any{"client_id": "m4rk3r-client", "token_endpoint_auth_method": "none"}
}

func (s *lockedSite) token(url.Values) any {
	token := "m4rk3r-access-" + rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens[token] = true
	return map[string]any{"access_token": token, "refresh_token": "m4rk3r-refresh", "token_type": "Bearer", "expires_in": 3600, "scope": "read"}
}

// paths returns how often a path was asked for.
func (s *lockedSite) paths(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, p := range s.asked {
		if p == path {
			n++
		}
	}
	return n
}

// form returns the parameters of the last request for a path.
func (s *lockedSite) form(path string) url.Values {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, p := range slices.Backward(s.asked) {
		if p == path {
			return s.forms[i]
		}
	}
	return nil
}

// A person has a browser, and a directory for what the bridge keeps.
type person struct {
	site   *lockedSite
	env    []string
	ca     string
	report string   // of the browser
	store  []string // options
}

func newPerson(t *testing.T, s *lockedSite) *person {
	dir := t.TempDir()
	p := &person{site: s, ca: filepath.Join(dir, "ca"), report: filepath.Join(dir, "visit")}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(p.ca, cert, 0o600); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p.env = []string{
		"BROWSER=" + exe, browserVariable + "=" + p.report, "TRESTLE_TEST_CA=" + p.ca, "GORACE=atexit_sleep_ms=0", "VSCODE_IPC_HOOK_CLI=kept",
		"MCP_BRIDGE_TOKEN_KEY=" + s3cretKey, "M4RK3R_VARIABLE=m4rk3r-header", "XDG_STATE_HOME=" + filepath.Join(dir, "state"),
	}
	before := s.paths("/authorize")
	t.Cleanup(func() { p.visits(t, s.paths("/authorize")-before) }) // they write to the directory
	p.store = []string{"--token-store", "file", "--token-dir", filepath.Join(dir, "tokens")}
	return p
}

// args are those of a session.
func (p *person) args(t *testing.T, options ...string) []string {
	args := append(slices.Clone(options), p.store...)
	return append(args, "--log-level", "debug", "--redirect-port", strconv.Itoa(freePort(t)), "--ca-file", p.ca,
		"--header-env", "X-Key=M4RK3R_VARIABLE", p.site.URL+"/m4rk3r?m4rk3r")
}

// of is the command line of a subcommand about the store.
func (p *person) of(command string, options ...string) []string {
	return append(append([]string{command}, p.store...), options...)
}

// freePort returns a port that nobody listens on.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// signInLine returns the URL of the line that says where to sign in, and the other lines.
func signInLine(t *testing.T, stderr string) (u, others string) {
	t.Helper()
	for line := range strings.Lines(stderr) {
		if text, ok := strings.CutPrefix(line, name+": sign in at "); ok {
			if u != "" {
				t.Error("the URL is shown twice")
			}
			u = strings.TrimSuffix(text, "\n")
			continue
		}
		others += line
	}
	return u, others
}
