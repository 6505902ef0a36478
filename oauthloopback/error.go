package oauthloopback

import (
	"errors"
	"strconv"
)

// A Reason says what went wrong. Its text is stable.
type Reason string

// The reasons of an [Error].
const (
	ReasonConfig        Reason = "config"         // a field of Config, or a call, is not as its comment says
	ReasonAddressInUse  Reason = "address_in_use" // another program has the port
	ReasonBindFailed    Reason = "bind_failed"    // the port cannot be had for another reason
	ReasonInvalidURL    Reason = "invalid_url"    // the authorization URL was refused; nothing was shown or opened
	ReasonNoRandom      Reason = "no_random"      // there are no random bytes for a start URL
	ReasonBrowserFailed Reason = "browser_failed" // no browser was opened
	ReasonTimeout       Reason = "timeout"        // no redirect came in time
	ReasonAborted       Reason = "aborted"        // Abort, Close, or the end of a context
	ReasonStartReused   Reason = "start_reused"   // the start URL was opened twice before the redirect
	ReasonDeclined      Reason = "declined"       // Flow.Ask returned ErrDeclined
)

// ErrDeclined is what [Flow].Ask returns for a no.
var ErrDeclined = errors.New("oauthloopback: declined")

// An Error is what the calls of this package fail with, but for the errors that
// Flow.Ask and the closing of a listener returned. It never holds a URL, a token, a
// state, a code, or a text that came from outside.
//
// What the authorization server answered is not an error: it is a [Redirect] with
// an error code.
type Error struct {
	Reason Reason

	// Port is the port, for ReasonAddressInUse and ReasonBindFailed.
	Port int

	// Detail is the field of Config for ReasonConfig and the check that failed for
	// ReasonInvalidURL, in words of this package.
	Detail string

	// ExitCode is the opener's for ReasonBrowserFailed: -1 if it was not started or
	// was killed.
	ExitCode int

	// Err is the error of the context, or ErrDeclined, or nil.
	Err error
}

// Error returns a constant text for the reason, with the port or the detail.
func (e *Error) Error() string {
	switch e.Reason {
	case ReasonConfig:
		return "oauthloopback: not as documented: " + e.Detail
	case ReasonAddressInUse:
		return "oauthloopback: listen: port " + strconv.Itoa(e.Port) + " of 127.0.0.1 is in use"
	case ReasonBindFailed:
		return "oauthloopback: listen: port " + strconv.Itoa(e.Port) + " of 127.0.0.1 cannot be used"
	case ReasonInvalidURL:
		return "oauthloopback: authorization URL refused: " + e.Detail
	case ReasonNoRandom:
		return "oauthloopback: make start URL: no random bytes"
	case ReasonBrowserFailed:
		if e.ExitCode == -1 {
			return "oauthloopback: open browser: no program, or it was killed"
		}
		return "oauthloopback: open browser: exit code " + strconv.Itoa(e.ExitCode)
	case ReasonTimeout:
		return "oauthloopback: wait for redirect: time is up"
	case ReasonAborted:
		return "oauthloopback: wait for redirect: given up"
	case ReasonStartReused:
		return "oauthloopback: wait for redirect: start URL opened twice"
	case ReasonDeclined:
		return "oauthloopback: wait for redirect: declined"
	}
	return "oauthloopback: error"
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
