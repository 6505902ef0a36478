package bridge

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/bridge/internal/signin"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// What a person reads of a sign-in, line by line.
//
// req: S16
func TestLinesOfASignIn(t *testing.T) {
	failed := func(e signin.Error) signin.Event { return signin.Event{Kind: signin.NotSignedIn, Err: &e} }
	for _, tt := range []struct {
		name string
		e    signin.Event
		want string
	}{
		{"success", signin.Event{Kind: signin.SignedIn}, "INFO signed in"},
		{"no browser", signin.Event{Kind: signin.BrowserFailed}, "WARN the browser did not open; open the URL above"},
		{"browser that was not started", signin.Event{Kind: signin.BrowserFailed, ExitCode: -1}, "WARN the browser did not open; open the URL above"},
		{"browser that ends", signin.Event{Kind: signin.BrowserFailed, ExitCode: 3}, "WARN the browser did not open; open the URL above status=3"},
		{"wait", signin.Event{Kind: signin.Waits}, "INFO waiting for another process that signs in; --redirect-port gives this one a port of its own"},
		{"late start", signin.Event{Kind: signin.LateStart},
			"WARN the start URL was requested again after the sign-in; another program possibly signed in"},
		{"not stored", signin.Event{Kind: signin.NotStored}, "WARN the sign-in could not be kept; it is good for this session"},
		{"cause", failed(signin.Error{Cause: mcpwire.CauseSignInDenied}), "WARN there is no sign-in cause=sign_in_denied"},
		{"code and status", failed(signin.Error{Cause: mcpwire.CauseTokenExchangeFailed, Status: 400, Code: "invalid_grant"}),
			"WARN there is no sign-in cause=token_exchange_error status=400 code=invalid_grant"},
		{"detail", failed(signin.Error{Cause: mcpwire.CauseDiscoveryFailed, Detail: signin.DetailCertificate}),
			`WARN there is no sign-in cause=discovery_error detail="its certificate is not trusted"`},
		{"port", failed(signin.Error{Cause: mcpwire.CauseRedirectPortInUse, Port: 41894}),
			"WARN there is no sign-in cause=redirect_port_in_use port=41894"},
		{"redirect URI", failed(signin.Error{Cause: mcpwire.CauseRegistrationUnavailable, Redirect: "http://127.0.0.1:41894/callback"}),
			"WARN there is no sign-in cause=registration_unavailable redirect=http://127.0.0.1:41894/callback"},
		{"issuers", failed(signin.Error{Cause: mcpwire.CauseIssuerMismatch, Expected: "https://a.example", Received: "https://a.example/"}),
			"WARN there is no sign-in cause=issuer_mismatch expected=https://a.example received=https://a.example/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var l log
			sayOfSignIn(NewLog(&l, slog.LevelDebug), tt.e)
			if got := strings.TrimPrefix(strings.TrimSuffix(l.String(), "\n"), "mcp-bridge-vscode: "); got != tt.want {
				t.Errorf("line\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
