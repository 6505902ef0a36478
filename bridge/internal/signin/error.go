package signin

import (
	"strconv"
	"strings"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// An Error is why there is no sign-in. Its text holds the cause, words of this package,
// numbers, and at most an error code of OAuth: never a URL, a token, or a text of a server.
type Error struct {
	Cause  mcpwire.Cause
	Detail Detail // or empty
	Status int    // of the answer that it comes of, or 0
	Code   string // of OAuth, of a fixed alphabet, or empty
	Port   int    // of [mcpwire.CauseRedirectPortInUse]

	// Redirect is the redirect URI that a person can register, where there is no client.
	Redirect string

	// After is why the challenge before was not answered, after which the user is left
	// alone (S23). It is empty for other causes than [mcpwire.CauseSignInCooldown].
	After mcpwire.Cause

	// Expected and Received are the two issuers of [mcpwire.CauseIssuerMismatch], for the
	// person who signs in. They are empty where a terminal should not show one of them.
	Expected, Received string

	err    error // of a context, or nil
	unsent bool  // the request that it comes of has surely not been seen
}

// A Detail says more about a cause.
type Detail string

// The details.
const (
	DetailUnreachable     Detail = "not reachable"
	DetailCertificate     Detail = "its certificate is not trusted"
	DetailBlocked         Detail = "its address is not one that this server may send the bridge to"
	DetailSlow            Detail = "it takes too long"
	DetailTooLarge        Detail = "its answer is too large"
	DetailEncoded         Detail = "its answer is in an encoding that was not asked for"
	DetailStatus          Detail = "its status is not one that was expected"
	DetailNotJSON         Detail = "its answer is not a JSON object"
	DetailNoTokenEndpoint Detail = "it names no token endpoint that can be used"
	DetailNoClient        Detail = "its answer holds no client"
	DetailNoToken         Detail = "its answer holds no token that can be used"
	DetailNoCodes         Detail = "it gives no authorization codes"
)

// Error returns the text.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("signin: " + string(e.Cause))
	if e.Detail != "" {
		b.WriteString(": " + string(e.Detail))
	}
	if e.Status != 0 {
		b.WriteString(", status " + strconv.Itoa(e.Status))
	}
	if e.Code != "" {
		b.WriteString(", code " + e.Code)
	}
	if e.Port != 0 {
		b.WriteString(", port " + strconv.Itoa(e.Port))
	}
	return b.String()
}

// Unwrap returns the error of a context that has ended, or nil.
func (e *Error) Unwrap() error { return e.err }

func because(c mcpwire.Cause) *Error { return &Error{Cause: c} }

// isErrorCode reports whether a text of a server can be shown as an error code.
func isErrorCode(text string) bool {
	return text != "" && len(text) <= maxErrorCode && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_") == ""
}
