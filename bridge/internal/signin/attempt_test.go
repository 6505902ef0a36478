package signin

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/oauthloopback"
)

// A drip answers documents, each just before the time of a request is over, and everything
// else never.
type drip map[string]string

func (d drip) RoundTrip(r *http.Request) (*http.Response, error) {
	body, ok := d[r.URL.Path]
	if !ok {
		return blackHole{}.RoundTrip(r)
	}
	select {
	case <-time.After(requestTime - time.Second):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	res := httptest.NewRecorder().Result()
	res.Header.Set("Content-Type", "application/json")
	res.Body = io.NopCloser(strings.NewReader(body))
	return res, nil
}

// The requests before the user is asked share their time, however slow each of them is.
//
// req: S18
func TestS18TimeOfAllRequests(t *testing.T) {
	receiver, err := oauthloopback.Listen(t.Context(), oauthloopback.Config{
		State: oauthloopback.NewSecret(strings.Repeat("s", 43)), AppName: appName,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer receiver.Close()
	synctest.Test(t, func(t *testing.T) {
		server, _ := url.Parse("https://h.example/mcp")
		w := web{&http.Client{Transport: drip{
			"/.well-known/oauth-protected-resource/mcp": `{"resource":"https://h.example/mcp","authorization_servers":["https://h.example"]}`,
			"/.well-known/oauth-authorization-server": `{"issuer":"https://h.example","authorization_endpoint":"https://h.example/a",
				"token_endpoint":"https://h.example/t","registration_endpoint":"https://h.example/r","code_challenge_methods_supported":["S256"]}`,
		}}}
		policy := AddressPolicy{URL: server, Server: func() netip.Addr { return netip.Addr{} }}
		a := &attempt{
			o: &Options{URL: server}, account: &account{web: w, vault: newVault(t), server: server},
			discovery: &discovery{web: w, server: server, policy: policy}, pending: &pending{},
			prepared: 10 * time.Second, // as by another document
		}
		start := time.Now()
		found, s, err := a.discover(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute) // another process signs in
		_, err = a.prepare(t.Context(), receiver, found, s)
		if causeOf(err) != mcpwire.CauseRegistrationFailed || err.Detail != DetailSlow || time.Since(start) != prepareTime-10*time.Second+time.Minute {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}
