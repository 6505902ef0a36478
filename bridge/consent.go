package bridge

import (
	"context"

	"github.com/trestle-mcp/trestle/bridge/internal/session"
	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/oauthloopback"
)

// consent asks the person at the client whether to sign in (T134).
type consent struct {
	session *session.Session
	host    string // of the server
}

// Ask puts the question.
func (c *consent) Ask(ctx context.Context, u oauthloopback.AuthURL, scopes string) error {
	switch err := c.session.Ask(ctx, mcpwire.Question{URL: u.Raw(), Host: c.host, Scopes: scopes}); err {
	case session.ErrDeclined:
		return oauthloopback.ErrDeclined
	case session.ErrGone:
		return &oauthloopback.Error{Reason: oauthloopback.ReasonAborted}
	default:
		return err
	}
}

// Over says that the sign-in has succeeded.
func (c *consent) Over() { c.session.Over() }
