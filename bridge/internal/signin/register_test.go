package signin

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/signintest"
	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/tokenvault"
)

const testRedirect = "http://127.0.0.1:41895/callback"

func secretOf(text string) tokenvault.Secret { return tokenvault.NewSecret([]byte(text)) }

func (p *provider) registration(t testing.TB, o ClientOptions) *registration {
	return &registration{web: p.web(t), clients: clientStore{newVault(t)}, options: o, redirect: testRedirect}
}

// known is the client of r at p, whose metadata is as the test has changed it.
func (p *provider) known(t testing.TB, r *registration) (client, *Error) {
	t.Helper()
	s, err := p.discovery(t, "/mcp").authServer(t.Context(), p.URL)
	if err != nil {
		t.Fatal(err)
	}
	return r.client(t.Context(), s)
}

// A client that was registered by hand comes before one that is a document, and that
// before one that the bridge registers.
//
// req: S12, S18
func TestRegistrationOrder(t *testing.T) {
	const document = "https://example.com/client.json"
	for _, tt := range []struct {
		name       string
		options    ClientOptions
		documents  bool
		redirect   string
		want       client
		registered int
	}{
		{"by hand", ClientOptions{ID: "mine", MetadataURL: document}, true, "", client{source: sourceConfigured, id: "mine", method: methodNone}, 0},
		{"document", ClientOptions{MetadataURL: document}, true, "", client{source: sourceDocument, id: document, method: methodNone}, 0},
		{"document that the server does not read", ClientOptions{MetadataURL: document}, false, "", client{source: sourceRegistered, id: "registered-1", method: methodNone}, 1},
		{"another redirect than that of the document", ClientOptions{}, true, "", client{source: sourceRegistered, id: "registered-1", method: methodNone}, 1},
		{"redirect of the document that is not published yet", ClientOptions{}, true, projectRedirect, client{source: sourceRegistered, id: "registered-1", method: methodNone}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider(t)
			p.Metadata["client_id_metadata_document_supported"] = tt.documents
			r := p.registration(t, tt.options)
			if tt.redirect != "" {
				r.redirect = tt.redirect
			}
			for range 2 { // the second time there is a client
				got, err := p.known(t, r)
				if err != nil || got.source != tt.want.source || got.id != tt.want.id || got.method != tt.want.method {
					t.Errorf("client() = %v %q %q, %v, want %v %q %q", got.source, got.id, got.method, err, tt.want.source, tt.want.id, tt.want.method)
				}
			}
			if got := len(p.Asked("/register")); got != tt.registered {
				t.Errorf("%d registrations, want %d", got, tt.registered)
			}
		})
	}
}

// What a registration says.
//
// req: S11, S18
func TestS11Registration(t *testing.T) {
	p := newProvider(t)
	if _, err := p.known(t, p.registration(t, ClientOptions{})); err != nil {
		t.Fatal(err)
	}
	q := p.Asked("/register")[0]
	var got object
	if err := json.Unmarshal([]byte(q.Body), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"client_name": `"mcp-bridge-vscode (trestle)"`, "redirect_uris": `["` + testRedirect + `"]`,
		"grant_types": `["authorization_code","refresh_token"]`, "response_types": `["code"]`,
		"application_type": `"native"`, "token_endpoint_auth_method": `"none"`,
	}
	if !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
		t.Errorf("members %v", got)
	}
	for name, value := range want {
		if text, _ := json.Marshal(got[name]); string(text) != value {
			t.Errorf("%s = %s, want %s", name, text, value)
		}
	}
	if q.Header.Get("Content-Type") != "application/json" || q.Header.Get("Authorization") != "" {
		t.Errorf("headers %v", q.Header)
	}
}

// A client is kept for its issuer and its redirect URI, and is used for no other.
//
// req: P07
func TestP07ClientsAreKeptPerIssuer(t *testing.T) {
	p, other := newProvider(t), newProvider(t)
	r := p.registration(t, ClientOptions{})
	first, _ := p.known(t, r)
	if again, _ := p.known(t, r); first.id != again.id {
		t.Errorf("clients %q and %q of one issuer", first.id, again.id)
	}
	p.wantRequests(t, "GET /.well-known/oauth-authorization-server", "POST /register", "GET /.well-known/oauth-authorization-server")
	r.web = other.web(t)
	if _, err := other.known(t, r); err != nil || len(other.Asked("/register")) != 1 {
		t.Errorf("another issuer has seen %q, %v", other.Requests(), err)
	}
	r.web, r.redirect = p.web(t), "http://127.0.0.1:41896/callback"
	if c, _ := p.known(t, r); c.id == first.id {
		t.Error("one client for two redirect URIs")
	}
	// A record that is somebody else's does not become the issuer's by lying in its place.
	entry, err := r.clients.vault.Get(t.Context(), clientRecordID(other.URL, testRedirect))
	if err != nil {
		t.Fatal(err)
	}
	id := clientRecordID("https://third.example", testRedirect)
	if _, err := r.clients.vault.Put(t.Context(), id, entry.Value, tokenvault.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if k := r.clients.get(t.Context(), "https://third.example", testRedirect); k.id != "" {
		t.Errorf("client %q of another issuer", k.id)
	}
}

// A secret goes to the issuer that it is for.
//
// req: P07
func TestP07IssuerOfAConfiguredClient(t *testing.T) {
	p := newProvider(t)
	o := ClientOptions{ID: "mine", Secret: secretOf("secret"), Issuer: "https://other.example"}
	if c, err := p.known(t, p.registration(t, o)); causeOf(err) != mcpwire.CauseIssuerNotRegistered {
		t.Errorf("client() = %v, %v", c.source, err)
	}
	o.Issuer = p.URL
	if c, err := p.known(t, p.registration(t, o)); err != nil || c.method != methodPost || !c.secret.Equal(o.Secret) {
		t.Errorf("client() = %v, %v", c.method, err)
	}
}

// req: S18
func TestRegistrationAnswers(t *testing.T) {
	answer := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			w.Write([]byte(body))
		}
	}
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		method string
		cause  mcpwire.Cause
		code   string
	}{
		{"200", answer(200, `{"client_id":"x"}`), methodNone, "", ""},
		{"what is not needed may be anything", answer(201, `{"client_id":"x","client_id_issued_at":1.5,"jwks":{},"redirect_uris":7}`), methodNone, "", ""},
		{"secret without a method", answer(201, `{"client_id":"x","client_secret":"hidden"}`), methodPost, "", ""},
		{"secret in the header", answer(201, `{"client_id":"x","client_secret":"hidden","token_endpoint_auth_method":"client_secret_basic"}`), methodBasic, "", ""},
		{"secret that is not used", answer(201, `{"client_id":"x","client_secret":"hidden","token_endpoint_auth_method":"none"}`), methodNone, "", ""},
		{"expiry as text", answer(201, `{"client_id":"x","client_secret":"hidden","client_secret_expires_at":"99999999999"}`), methodPost, "", ""},
		{"method without a secret", answer(201, `{"client_id":"x","token_endpoint_auth_method":"client_secret_post"}`), "", mcpwire.CauseAuthMethodUnsupported, ""},
		{"another method", answer(201, `{"client_id":"x","client_secret":"hidden","token_endpoint_auth_method":"private_key_jwt"}`), "", mcpwire.CauseAuthMethodUnsupported, ""},
		{"no client", answer(201, `{"client_secret":"hidden"}`), "", mcpwire.CauseRegistrationFailed, ""},
		{"client with a blank", answer(201, `{"client_id":"x y"}`), "", mcpwire.CauseRegistrationFailed, ""},
		{"client that is too long", answer(201, `{"client_id":"`+strings.Repeat("x", maxClientID+1)+`"}`), "", mcpwire.CauseRegistrationFailed, ""},
		{"secret with a line end", answer(201, `{"client_id":"x","client_secret":"hidden\r\n"}`), "", mcpwire.CauseRegistrationFailed, ""},
		{"no JSON", signintest.Content("text/plain", "hidden"), "", mcpwire.CauseRegistrationFailed, ""},
		{"broken JSON", answer(201, `{"client_secret":"hidden",`), "", mcpwire.CauseRegistrationFailed, ""},
		{"too large", answer(201, `{"client_id":"x"}`+strings.Repeat(" ", maxAnswer)), "", mcpwire.CauseRegistrationFailed, ""},
		{"refused", answer(400, `{"error":"invalid_redirect_uri","error_description":"hidden"}`), "", mcpwire.CauseRegistrationFailed, "invalid_redirect_uri"},
		{"refused with a text for a code", answer(400, `{"error":"hidden words"}`), "", mcpwire.CauseRegistrationFailed, ""},
		{"forbidden", signintest.Status(403), "", mcpwire.CauseRegistrationFailed, ""},
		{"redirect that keeps the method", http.RedirectHandler("/register2", http.StatusTemporaryRedirect).ServeHTTP, "", mcpwire.CauseRegistrationFailed, ""},
		{"error with a secret", answer(500, `{"client_id":"x","client_secret":"hidden"}`), "", mcpwire.CauseRegistrationFailed, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider(t)
			p.On["/register"] = tt.answer
			r := p.registration(t, ClientOptions{})
			c, err := p.known(t, r)
			if causeOf(err) != tt.cause || err == nil && (c.id != "x" || c.method != tt.method) {
				t.Fatalf("client() = %q %q, %v, want method %q, cause %q", c.id, c.method, err, tt.method, tt.cause)
			}
			if err != nil && (err.Code != tt.code || strings.Contains(err.Error(), "hidden")) {
				t.Errorf("error %q, code %q, want %q", err, err.Code, tt.code)
			}
			if err != nil && r.clients.get(t.Context(), p.URL, testRedirect).id != "" {
				t.Error("a client was kept")
			}
			if len(p.Asked("/register2")) != 0 {
				t.Error("a redirect was followed")
			}
		})
	}
}

// Where no client can be registered, nothing is tried.
//
// req: S18
func TestRegistrationUnavailable(t *testing.T) {
	p := newProvider(t)
	delete(p.Metadata, "registration_endpoint")
	if _, err := p.known(t, p.registration(t, ClientOptions{})); causeOf(err) != mcpwire.CauseRegistrationUnavailable {
		t.Errorf("without an endpoint: %v", err)
	}
	p = newProvider(t)
	p.Metadata["token_endpoint_auth_methods_supported"] = []string{"private_key_jwt"}
	if _, err := p.known(t, p.registration(t, ClientOptions{})); causeOf(err) != mcpwire.CauseAuthMethodUnsupported {
		t.Errorf("with a method that the bridge has not: %v", err)
	}
	if got := p.Asked("/register"); len(got) != 0 {
		t.Errorf("%d registrations", len(got))
	}
}

// A client whose secret has expired, or that the server does not know any more, is
// registered anew. What else is known of the issuer stays.
//
// req: S18
func TestClientsThatAreOver(t *testing.T) {
	p := newProvider(t)
	r := p.registration(t, ClientOptions{})
	old := keptClient{client: client{id: "old", method: methodNone}, expires: time.Now().Add(-time.Second), omitOffline: true}
	r.clients.put(t.Context(), p.URL, testRedirect, old)
	c, err := p.known(t, r)
	if err != nil || c.id != "registered-1" {
		t.Fatalf("client() = %q, %v", c.id, err)
	}
	if !r.clients.get(t.Context(), p.URL, testRedirect).omitOffline {
		t.Error("what was known of the issuer is gone")
	}
	r.clients.forget(t.Context(), p.URL, testRedirect, "old")
	if c, _ = p.known(t, r); c.id != "registered-1" {
		t.Errorf("client() = %q after another one was forgotten", c.id)
	}
	r.clients.forget(t.Context(), p.URL, testRedirect, c.id)
	if c, _ = p.known(t, r); c.id != "registered-2" {
		t.Errorf("client() = %q after it was forgotten", c.id)
	}
	// A client without a secret has none that can expire, whatever its server says.
	p.On["/register"], r.clients = func(w http.ResponseWriter, _ *http.Request) {
		signintest.SendJSON(w, http.StatusCreated, object{"client_id": "x", "client_secret_expires_at": 1})
	}, clientStore{newVault(t)}
	for range 2 {
		if c, _ = p.known(t, r); c.id != "x" || p.Count("/register") != 3 {
			t.Errorf("client() = %q after %d registrations", c.id, p.Count("/register"))
		}
	}
}

// req: S18
func TestMethodOf(t *testing.T) {
	for _, tt := range []struct {
		name   string
		secret string
		listed []string
		want   string
		cause  mcpwire.Cause
	}{
		{"no secret", "", []string{methodBasic}, methodNone, ""},
		{"nothing listed", "s", nil, methodBasic, ""},
		{"both listed", "s", []string{methodBasic, methodPost}, methodPost, ""},
		{"header listed", "s", []string{"private_key_jwt", methodBasic}, methodBasic, ""},
		{"none listed", "s", []string{methodNone}, methodBasic, ""},
		{"others listed", "s", []string{"private_key_jwt"}, "", mcpwire.CauseAuthMethodUnsupported},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := methodOf(secretOf(tt.secret), tt.listed); got != tt.want || causeOf(err) != tt.cause {
				t.Errorf("methodOf() = %q, %v, want %q, cause %q", got, err, tt.want, tt.cause)
			}
		})
	}
}

// req: S18
func TestClientAuth(t *testing.T) {
	const id, secret = "a b:c", "p%/+:"
	for _, tt := range []struct{ method, form, header string }{
		{methodNone, "client_id=a+b%3Ac", ""},
		{methodPost, "client_id=a+b%3Ac&client_secret=p%25%2F%2B%3A", ""},
		{methodBasic, "", "a+b%3Ac:p%25%2F%2B%3A"},
	} {
		t.Run(tt.method, func(t *testing.T) {
			form, h := url.Values{}, http.Header{}
			client{id: id, secret: secretOf(secret), method: tt.method}.auth().apply(form, h)
			user, password, _ := (&http.Request{Header: h}).BasicAuth()
			if got := strings.TrimSuffix(user+":"+password, ":"); form.Encode() != tt.form || got != tt.header && user+":"+password != tt.header {
				t.Errorf("form %q, header %q, want %q, %q", form.Encode(), got, tt.form, tt.header)
			}
		})
	}
}
