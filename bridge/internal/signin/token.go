package signin

import (
	"context"
	"math"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// The grants of a sign-in.
const (
	grantCode    = "authorization_code"
	grantRefresh = "refresh_token"
)

// tokens are what a token endpoint gives.
type tokens struct {
	access  tokenvault.Secret
	refresh tokenvault.Secret // or empty
	expires time.Time         // zero: not known; then only the server knows
	granted scopes            // nil: what was asked for
}

// tokenRequest makes the one kind of request to a token endpoint. It is made once: a code
// or a refresh token that was seen is spent, whatever the answer.
func (w web) tokenRequest(ctx context.Context, endpoint *url.URL, form url.Values, auth ClientAuth) (tokens, *Error) {
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	h := http.Header{}
	auth.apply(form, h)
	a, detail, err := w.post(ctx, endpoint, "application/x-www-form-urlencoded", form.Encode(), h)
	if detail != "" || err != nil {
		failure := stopped(mcpwire.CauseTokenExchangeFailed, detail, err)
		failure.unsent = !connected.Load()
		return tokens{}, failure
	}
	return readTokens(a, time.Now())
}

// readTokens reads the answer of a token endpoint. Of an error only its code is kept.
func readTokens(a answer, now time.Time) (tokens, *Error) {
	doc, ok := parseDocument(a.body)
	access, refresh := doc.text("access_token"), doc.text("refresh_token")
	switch {
	case a.status != http.StatusOK, doc.text("error") != "":
		return tokens{}, refusal(mcpwire.CauseTokenExchangeFailed, a.status, doc)
	case !a.json, !ok:
		return tokens{}, &Error{Cause: mcpwire.CauseTokenExchangeFailed, Detail: DetailNotJSON}
	case !strings.EqualFold(doc.text("token_type"), "Bearer"):
		return tokens{}, because(mcpwire.CauseTokenTypeUnsupported)
	case access == "", strings.Contains(access, " "), !isToken(access), !isToken(refresh):
		return tokens{}, &Error{Cause: mcpwire.CauseTokenExchangeFailed, Detail: DetailNoToken}
	}
	t := tokens{access: tokenvault.NewSecret([]byte(access)), refresh: tokenvault.NewSecret([]byte(refresh))}
	if seconds, ok := doc.number("expires_in"); ok && seconds >= 1 {
		t.expires = now.Add(time.Duration(math.Floor(min(seconds, maxExpiry.Seconds()))) * time.Second)
	}
	if granted, ok := member[string](doc, "scope"); ok {
		t.granted = append(scopes{}, parseScopes(granted)...)
	}
	return t, nil
}

// isToken reports whether a text can be stored and sent as a token.
func isToken(text string) bool {
	return len(text) <= maxToken && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}
