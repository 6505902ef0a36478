package app

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trestle-mcp/trestle/bridge"
	"github.com/trestle-mcp/trestle/oauthloopback"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// An accessPlan is how a server at a URL is signed in to, once a store is open.
type accessPlan struct {
	set     *settings
	secrets *credentials
	shown   atomic.Bool // the person was asked
}

// openAccess begins to open the store of the kept sign-ins, and makes the server one that
// can be signed in to. It returns nil if it is none that can.
func (p *process) openAccess(ctx context.Context, server *target, l *slog.Logger) *openingStore {
	plan := server.access
	if plan == nil {
		return nil
	}
	keepInherited()
	store := startOpening(ctx, func(ctx context.Context) (tokenvault.Store, error) {
		return p.openVault(ctx, &plan.set.signIn.vault, plan.secrets.tokenKey, l)
	})
	s := p.signIn(plan, l)
	s.Vault = store
	server.remote.SignIn = s
	return store
}

// signIn is what the options say about signing in, but for the store.
func (p *process) signIn(plan *accessPlan, l *slog.Logger) *bridge.SignIn {
	set := &plan.set.signIn
	s := &bridge.SignIn{
		Account: set.vault.account, ClientID: set.clientID, ClientSecret: plan.secrets.clientSecret.forBridge(), ClientIssuer: set.clientIssuer,
		ClientMetadata: set.clientMetadata, Scopes: set.words(), Resource: set.resource, OmitResource: set.omitResource,
		RedirectPort: set.redirectPort, PortLock: set.portLock(p.env), Timeout: set.timeout, PrivateHosts: set.privateHosts,
		Show: p.show(plan, l), AllowLoopbackHTTP: p.loopbackHTTP,
	}
	if sandbox, _ := lookup(p.env, "SANDBOX_RUNTIME"); sandbox == "1" {
		s.Sandboxed = true
	}
	if !set.noBrowser {
		browser, _ := lookup(p.env, "BROWSER")
		s.Opener = oauthloopback.SystemOpener{Browser: browser, Env: browserEnv(p.env, plan.set.headerVariables)}
	}
	return s
}

// portLock is the file that the bridges lock which wait on one port.
func (s *signIn) portLock(env []string) string {
	dir := stateDir(env)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, fmt.Sprintf("port-%d.lock", cmp.Or(s.redirectPort, bridge.DefaultRedirectPort)))
}

// show writes where the person can sign in, and what else there is to know then. The URL is
// in this one line alone, whatever the level of the log.
func (p *process) show(plan *accessPlan, l *slog.Logger) func(oauthloopback.AuthURL) {
	set := &plan.set.signIn
	wait := cmp.Or(set.timeout, bridge.DefaultSignInTimeout)
	elsewhere := sync.OnceFunc(func() {
		if text := apart(p.env, set.noBrowser, os.DirFS("/")); text != "" {
			l.Info(text)
		}
	})
	return func(u oauthloopback.AuthURL) {
		plan.shown.Store(true)
		fmt.Fprintf(p.stderr, "%s: sign in at %s\n", name, u.Raw())
		l.Info(waiting(wait, set.noBrowser))
		elsewhere()
	}
}

// waiting says how long the person may take.
func waiting(d time.Duration, noBrowser bool) string {
	text := fmt.Sprintf("waiting up to %gs for the sign-in; --sign-in-timeout changes that", d.Seconds())
	if noBrowser {
		return text
	}
	return text + ", --no-browser opens nothing"
}
