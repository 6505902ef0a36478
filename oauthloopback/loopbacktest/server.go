package loopbacktest

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"sync"
)

// ServerOptions say what a [Server] answers. Nil means the defaults.
type ServerOptions struct {
	// Error is the error code that the redirect holds instead of a code, such as
	// access_denied. If empty, every request is approved.
	Error string

	// Redirect, if set, changes the query of each redirect before it is sent: a test
	// can leave out the issuer, or send a state that nobody asked for.
	Redirect func(url.Values)

	// Token, if set, changes each good token answer before it is sent.
	Token func(map[string]any)
}

// A Server is an authorization server on 127.0.0.1. It knows the authorization code
// flow with PKCE (S256), names its issuer in every redirect, and takes each code
// once, for the redirect URI and the verifier that belong to it. Every client is
// welcome.
type Server struct {
	// Issuer is the server's own URL, AuthURL and TokenURL are its endpoints.
	Issuer, AuthURL, TokenURL string

	options ServerOptions
	http    http.Server
	serving sync.WaitGroup

	mu       sync.Mutex // guards the fields below
	codes    map[string]url.Values
	requests []url.Values
}

// NewServer starts a server on a port of the system's choice. The caller must call
// Close.
func NewServer(o *ServerOptions) (*Server, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("loopbacktest: start server: %w", err)
	}
	issuer := "http://" + listener.Addr().String()
	s := &Server{Issuer: issuer, AuthURL: issuer + "/authorize", TokenURL: issuer + "/token", codes: map[string]url.Values{}}
	if o != nil {
		s.options = *o
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /authorize", s.authorize)
	mux.HandleFunc("POST /token", s.token)
	s.http.Handler = mux
	s.serving.Go(func() { s.http.Serve(listener) })
	return s, nil
}

// Close stops the server and closes its connections.
func (s *Server) Close() {
	s.http.Close()
	s.serving.Wait()
}

// Requests returns the parameters of all authorization requests so far.
func (s *Server) Requests() []url.Values {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]url.Values(nil), s.requests...)
}

// authorize sends the browser back at once.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	target, err := url.Parse(asked.Get("redirect_uri"))
	if err != nil || target.Host == "" || asked.Get("response_type") != "code" || asked.Get("code_challenge_method") != "S256" {
		http.Error(w, "not a request for a code with a redirect URI and PKCE", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	s.mu.Lock()
	s.requests = append(s.requests, maps.Clone(asked))
	s.codes[code] = asked
	s.mu.Unlock()
	back := url.Values{"state": asked["state"], "iss": {s.Issuer}}
	if s.options.Error != "" {
		back.Set("error", s.options.Error)
	} else {
		back.Set("code", code)
	}
	if s.options.Redirect != nil {
		s.options.Redirect(back)
	}
	target.RawQuery = back.Encode()
	http.Redirect(w, r, target.String(), http.StatusFound)
}

func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	code := r.PostFormValue("code")
	s.mu.Lock()
	asked, known := s.codes[code]
	delete(s.codes, code)
	s.mu.Unlock()
	challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	answer, status := map[string]any{"access_token": rand.Text(), "refresh_token": rand.Text(), "token_type": "Bearer", "expires_in": 3600}, http.StatusOK
	switch {
	case r.PostFormValue("grant_type") != "authorization_code":
		answer, status = map[string]any{"error": "unsupported_grant_type"}, http.StatusBadRequest
	case !known, r.PostFormValue("redirect_uri") != asked.Get("redirect_uri"),
		base64.RawURLEncoding.EncodeToString(challenge[:]) != asked.Get("code_challenge"):
		answer, status = map[string]any{"error": "invalid_grant"}, http.StatusBadRequest
	case s.options.Token != nil:
		s.options.Token(answer)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(answer)
}
