package signin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/trestle-mcp/trestle/bridge/internal/signintest"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// req: S18
func TestTokenAnswers(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	const good = `"access_token":"token","token_type":"Bearer"`
	for _, tt := range []struct {
		name    string
		status  int
		body    string
		expires time.Duration // 0: not known
		cause   mcpwire.Cause
		code    string
	}{
		{"alone", 200, `{` + good + `}`, 0, "", ""},
		{"type in another case", 200, `{"access_token":"token","token_type":"bEARER"}`, 0, "", ""},
		{"identity token", 200, `{` + good + `,"id_token":{"what":"ever"}}`, 0, "", ""},
		{"expiry", 200, `{` + good + `,"expires_in":3600}`, time.Hour, "", ""},
		{"expiry as text (B61)", 200, `{` + good + `,"expires_in":"3600"}`, time.Hour, "", ""},
		{"expiry with a fraction", 200, `{` + good + `,"expires_in":3600.9}`, time.Hour, "", ""},
		{"expiry with an exponent", 200, `{` + good + `,"expires_in":3.6e3}`, time.Hour, "", ""},
		{"expiry of nothing (B62)", 200, `{` + good + `,"expires_in":0}`, 0, "", ""},
		{"expiry of less than a second", 200, `{` + good + `,"expires_in":0.5}`, 0, "", ""},
		{"expiry in the past", 200, `{` + good + `,"expires_in":-1}`, 0, "", ""},
		{"expiry that is a word", 200, `{` + good + `,"expires_in":"3600abc"}`, 0, "", ""},
		{"expiry that is not a number", 200, `{` + good + `,"expires_in":"NaN"}`, 0, "", ""},
		{"expiry without end", 200, `{` + good + `,"expires_in":"Inf"}`, 0, "", ""},
		{"expiry of null", 200, `{` + good + `,"expires_in":null}`, 0, "", ""},
		{"expiry beyond all bounds", 200, `{` + good + `,"expires_in":1e300}`, maxExpiry, "", ""},
		{"token as long as allowed", 200, `{"token_type":"Bearer","access_token":"` + strings.Repeat("a", maxToken) + `"}`, 0, "", ""},

		{"no type", 200, `{"access_token":"hidden"}`, 0, mcpwire.CauseTokenTypeUnsupported, ""},
		{"another type", 200, `{"access_token":"hidden","token_type":"mac"}`, 0, mcpwire.CauseTokenTypeUnsupported, ""},
		{"no token", 200, `{"token_type":"Bearer","refresh_token":"hidden"}`, 0, mcpwire.CauseTokenExchangeFailed, ""},
		{"token with a line end", 200, `{"token_type":"Bearer","access_token":"hidden\r\nX: y"}`, 0, mcpwire.CauseTokenExchangeFailed, ""},
		{"token with a blank", 200, `{"token_type":"Bearer","access_token":"hidden token"}`, 0, mcpwire.CauseTokenExchangeFailed, ""},
		{"token beyond ASCII", 200, `{"token_type":"Bearer","access_token":"hiddené"}`, 0, mcpwire.CauseTokenExchangeFailed, ""},
		{"token that is too long", 200, `{"token_type":"Bearer","access_token":"` + strings.Repeat("a", maxToken+1) + `"}`, 0, mcpwire.CauseTokenExchangeFailed, ""},
		{"refresh token with a line end", 200, `{` + good + `,"refresh_token":"hidden\n"}`, 0, mcpwire.CauseTokenExchangeFailed, ""},
		{"error with status 200", 200, `{"error":"bad_verification_code"}`, 0, mcpwire.CauseTokenExchangeFailed, "bad_verification_code"},
		{"error", 400, `{"error":"invalid_grant","error_description":"hidden"}`, 0, mcpwire.CauseTokenExchangeFailed, "invalid_grant"},
		{"error that is a text", 400, `{"error":"hidden text"}`, 0, mcpwire.CauseTokenExchangeFailed, ""},
		{"error that is long", 400, `{"error":"` + strings.Repeat("hidden", 11) + `"}`, 0, mcpwire.CauseTokenExchangeFailed, ""},
		{"tokens in an error", 500, `{"access_token":"hidden","refresh_token":"hidden","token_type":"Bearer"}`, 0, mcpwire.CauseTokenExchangeFailed, ""},
		{"another good status", 201, `{` + good + `}`, 0, mcpwire.CauseTokenExchangeFailed, ""},
		{"no object", 200, `["hidden"]`, 0, mcpwire.CauseTokenExchangeFailed, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readTokens(answer{status: tt.status, json: true, body: []byte(tt.body)}, now)
			if causeOf(err) != tt.cause {
				t.Fatalf("readTokens() = %v, want cause %q", err, tt.cause)
			}
			if err != nil {
				if err.Code != tt.code || strings.Contains(err.Error(), "hidden") {
					t.Errorf("error %q, code %q, want %q", err, err.Code, tt.code)
				}
				return
			}
			var expires time.Time
			if tt.expires != 0 {
				expires = now.Add(tt.expires)
			}
			if got.access.IsZero() || !got.expires.Equal(expires) {
				t.Errorf("expires %v, want %v", got.expires, expires)
			}
		})
	}
}

// req: S18
func TestGrantedScopes(t *testing.T) {
	asked := &pending{server: authServer{token: &url.URL{}}, scopes: scopes{"a", "b"}}
	for _, tt := range []struct {
		name, member string
		want         scopes
	}{
		{"not said", "", scopes{"a", "b"}},
		{"fewer", `,"scope":"a"`, scopes{"a"}},
		{"none", `,"scope":""`, nil},
		{"more", `,"scope":"c  a"`, scopes{"c", "a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readTokens(answer{status: 200, json: true, body: []byte(`{"access_token":"t","token_type":"Bearer"` + tt.member + `}`)}, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			if r := asked.record(got); !slices.Equal(r.granted, tt.want) || !slices.Equal(r.requested, asked.scopes) {
				t.Errorf("granted %v, requested %v, want %v and what was asked for", r.granted, r.requested, tt.want)
			}
		})
	}
}

// A token request goes out once, in one form, and no redirect is followed with it.
//
// req: S18
func TestTokenRequest(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		detail Detail
	}{
		{"refused", signintest.Status(401), ""},
		{"redirect that keeps the method", http.RedirectHandler("/elsewhere", http.StatusTemporaryRedirect).ServeHTTP, ""},
		{"no JSON", signintest.Content("text/html", `{"access_token":"t","token_type":"Bearer"}`), DetailNotJSON},
		{"too large", signintest.Content("application/json", strings.Repeat(" ", maxAnswer)+"{}"), DetailTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider(t)
			p.On["/token"] = tt.answer
			form := (&pending{redirect: testRedirect, resource: "r", verifier: secretOf("v")}).exchangeForm(secretOf("c"))
			_, err := p.web(t).tokenRequest(t.Context(), p.parsed(t, "/token"), form, publicClient{"id"})
			if err == nil || err.Cause != mcpwire.CauseTokenExchangeFailed || err.Detail != tt.detail || err.unsent {
				t.Errorf("tokenRequest() = %+v", err)
			}
			p.wantRequests(t, "POST /token")
			q := p.Asked("/token")[0]
			if got, want := q.Body, "client_id=id&code=c&code_verifier=v&grant_type=authorization_code&redirect_uri="+url.QueryEscape(testRedirect)+"&resource=r"; got != want {
				t.Errorf("body %q, want %q", got, want)
			}
			if q.Header.Get("Authorization") != "" || q.Header.Get("Content-Type") != "application/x-www-form-urlencoded" {
				t.Errorf("headers %v", q.Header)
			}
		})
	}
}

// What nobody can have read is told apart, since a refresh token is not spent then.
//
// req: S18
func TestTokenRequestThatIsNotSent(t *testing.T) {
	p := newProvider(t)
	u := p.parsed(t, "/token")
	w := p.web(t)
	p.Close()
	_, err := w.tokenRequest(t.Context(), u, url.Values{}, publicClient{"id"})
	if err == nil || !err.unsent || err.Detail != DetailUnreachable || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("tokenRequest() = %v", err)
	}
	untrusted := newProvider(t)
	other := httptest.NewTLSServer(nil)
	defer other.Close()
	if _, err = (web{newClient(t)}).tokenRequest(t.Context(), untrusted.parsed(t, "/token"), url.Values{}, publicClient{"id"}); err == nil || !err.unsent || err.Detail != DetailCertificate {
		t.Errorf("with a certificate of nobody: %v", err)
	}
}

func newClient(t testing.TB) *http.Client {
	c := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

// A widely used library sends the same request for a code.
//
// req: S18
func TestTokenRequestOfALibrary(t *testing.T) {
	for _, tt := range []struct {
		method string
		style  oauth2.AuthStyle
	}{{methodPost, oauth2.AuthStyleInParams}, {methodBasic, oauth2.AuthStyleInHeader}} {
		t.Run(tt.method, func(t *testing.T) {
			p := newProvider(t)
			p.On["/token"] = func(w http.ResponseWriter, _ *http.Request) {
				signintest.SendJSON(w, http.StatusOK, object{"access_token": "t", "token_type": "Bearer"})
			}
			const id, secret = "my client", "s%+:"
			w := p.web(t)
			form := (&pending{redirect: testRedirect, verifier: secretOf("v")}).exchangeForm(secretOf("c"))
			if _, err := w.tokenRequest(t.Context(), p.parsed(t, "/token"), form, client{id: id, secret: secretOf(secret), method: tt.method}.auth()); err != nil {
				t.Fatal(err)
			}
			config := oauth2.Config{ClientID: id, ClientSecret: secret, RedirectURL: testRedirect, Endpoint: oauth2.Endpoint{TokenURL: p.URL + "/token", AuthStyle: tt.style}}
			ctx := contextWith(t, w.client)
			if _, err := config.Exchange(ctx, "c", oauth2.VerifierOption("v")); err != nil {
				t.Fatal(err)
			}
			all := p.Asked("/token")
			if all[0].Body != all[1].Body || all[0].Header.Get("Authorization") != all[1].Header.Get("Authorization") {
				t.Errorf("requests differ: %q and %q", all[0].Body, all[1].Body)
			}
		})
	}
}

// Whatever a token endpoint answers, no text of ours holds a text of it.
func FuzzTokens(f *testing.F) {
	f.Add(200, []byte(`{"access_token":"t","token_type":"Bearer","expires_in":"1","scope":"a"}`))
	f.Add(400, []byte(`{"error":"invalid_grant"}`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		got, err := readTokens(answer{status: status, json: true, body: body}, time.Now())
		if err != nil {
			if err.Code != "" && !isErrorCode(err.Code) {
				t.Errorf("code %q", err.Code)
			}
			return
		}
		if got.access.IsZero() || !isToken(got.access.Expose()) || !isToken(got.refresh.Expose()) {
			t.Errorf("%q: a token that cannot be sent", body)
		}
		if text := fmt.Sprintf("%v %+v", got, got); strings.Contains(text, got.access.Expose()) && len(got.access.Expose()) > 12 {
			t.Errorf("%q is printed", text)
		}
		if _, err := json.Marshal(got.granted); err != nil {
			t.Error(err)
		}
	})
}
