package bridge

import (
	"context"
	"log/slog"

	"github.com/trestle-mcp/trestle/bridge/internal/diag"
	"github.com/trestle-mcp/trestle/bridge/internal/signin"
)

// sayOfSignIn writes what a person may want to know of a sign-in. The URL of it is shown
// elsewhere.
func sayOfSignIn(log *slog.Logger, e signin.Event) {
	say := func(level slog.Level, text string, attrs ...slog.Attr) {
		log.LogAttrs(context.Background(), level, text, attrs...)
	}
	switch e.Kind {
	case signin.SignedIn:
		say(slog.LevelInfo, "signed in")
	case signin.NotSignedIn:
		say(slog.LevelWarn, "there is no sign-in", reasons(e.Err)...)
	case signin.BrowserFailed:
		say(slog.LevelWarn, "the browser did not open; open the URL above", statuses(e.ExitCode)...)
	case signin.Waits:
		say(slog.LevelInfo, "waiting for another process that signs in; --redirect-port gives this one a port of its own")
	case signin.LateStart:
		say(slog.LevelWarn, "the start URL was requested again after the sign-in; another program possibly signed in")
	case signin.NotStored:
		say(slog.LevelWarn, "the sign-in could not be kept; it is good for this session")
	}
}

// reasons say why there is no sign-in.
func reasons(e *signin.Error) []slog.Attr {
	attrs := []slog.Attr{diag.Cause(e.Cause)}
	if e.Detail != "" {
		attrs = append(attrs, diag.Detail(string(e.Detail)))
	}
	attrs = append(attrs, statuses(e.Status)...)
	if e.Code != "" {
		attrs = append(attrs, diag.Code(e.Code))
	}
	if e.Port != 0 {
		attrs = append(attrs, diag.Port(e.Port))
	}
	if e.Redirect != "" {
		attrs = append(attrs, diag.Redirect(e.Redirect))
	}
	if e.Expected != "" {
		attrs = append(attrs, diag.Expected(e.Expected), diag.Received(e.Received))
	}
	return attrs
}

// statuses is a status, if there is one.
func statuses(code int) []slog.Attr {
	if code <= 0 {
		return nil
	}
	return []slog.Attr{diag.Status(code)}
}
