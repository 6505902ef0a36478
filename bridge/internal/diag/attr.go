package diag

import (
	"log/slog"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// A key is the key of an attribute. Attributes are made by the functions below
// only.
type key string

const (
	keyMethod key = "method"
	keyRule   key = "rule"
	keyCause  key = "cause"

	keyRevision key = "revision"

	keyCount   key = "count"
	keyRound   key = "round"
	keyOutcome key = "outcome"
	keyTook    key = "took"
	keyStatus  key = "status"
	keySignal  key = "signal"
	keyAt      key = "at"
	keyIssuer  key = "issuer"

	keyDetail   key = "detail"
	keyCode     key = "code"
	keyPort     key = "port"
	keyExpected key = "expected"
	keyReceived key = "received"
	keyRedirect key = "redirect"
)

// known is the closed set.
var known = map[key]bool{
	keyRevision: true, keyMethod: true, keyRule: true, keyCause: true, keyCount: true, keyRound: true,
	keyOutcome: true, keyTook: true, keyStatus: true, keySignal: true, keyAt: true, keyIssuer: true,
	keyDetail: true, keyCode: true, keyPort: true, keyExpected: true, keyReceived: true, keyRedirect: true,
}

// Method is the method of a request: a constant of mcpwire.
func Method(m string) slog.Attr { return slog.String(string(keyMethod), m) }

// Rule is the rule of the translation table that was applied.
func Rule(r string) slog.Attr { return slog.String(string(keyRule), r) }

// Revision is the revision of the protocol that the server speaks.
func Revision(r string) slog.Attr { return slog.String(string(keyRevision), r) }

// Cause is the cause of an error that the bridge made.
func Cause(c mcpwire.Cause) slog.Attr { return slog.String(string(keyCause), word(c)) }

// word is what a line calls a cause: the cause, but for the part of some that the editor
// takes for a sign that a sandbox is in the way. Those come of what people do every day.
func word(c mcpwire.Cause) string {
	if what, ok := strings.CutSuffix(string(c), "_failed"); ok {
		return what + "_error"
	}
	return string(c)
}

// Count says how many things are meant.
func Count(n int) slog.Attr { return slog.Int(string(keyCount), n) }

// Round is the number of an exchange among those of one request of the client.
func Round(n int) slog.Attr { return slog.Int(string(keyRound), n) }

// Outcome says how an exchange ended: by the cause of its error, or "ok".
func Outcome(c mcpwire.Cause) slog.Attr {
	if c == "" {
		c = "ok"
	}
	return slog.String(string(keyOutcome), word(c))
}

// Took is a duration in milliseconds, in a precision that people read.
func Took(d time.Duration) slog.Attr {
	ms := math.Round(d.Seconds()*1e5) / 1e2
	return slog.String(string(keyTook), strconv.FormatFloat(ms, 'f', -1, 64)+"ms")
}

// Status is the exit status of a process, or the status of an HTTP response.
func Status(code int) slog.Attr { return slog.Int(string(keyStatus), code) }

// Signal is the name of the signal that ended a process.
func Signal(name string) slog.Attr { return slog.String(string(keySignal), name) }

// maxIssuer is the most that a line holds of the name of an issuer, in bytes.
const maxIssuer = 64

// Issuer is who has issued a certificate that is not trusted, as the certificate says. It
// is public, and tells people which program on their way to the server has opened the
// connection.
func Issuer(name string) slog.Attr {
	if len(name) > maxIssuer {
		name = name[:maxIssuer]
	}
	return slog.String(string(keyIssuer), name)
}

// Detail says more about a cause, in words of ours.
func Detail(text string) slog.Attr { return slog.String(string(keyDetail), text) }

// Code is an error code of OAuth: lower-case letters and underscores.
func Code(text string) slog.Attr { return slog.String(string(keyCode), text) }

// Port is a port of this machine.
func Port(n int) slog.Attr { return slog.Int(string(keyPort), n) }

// Expected and Received are two issuers that should be the same. They are the one thing
// of a server's own words that a line holds, since only a person can say which is right.
func Expected(issuer string) slog.Attr { return slog.String(string(keyExpected), issuer) }

// Received is the other one.
func Received(issuer string) slog.Attr { return slog.String(string(keyReceived), issuer) }

// Redirect is the redirect URI of a sign-in, which is an address of this machine.
func Redirect(uri string) slog.Attr { return slog.String(string(keyRedirect), uri) }

// at is a place in our own source.
func at(place string) slog.Attr { return slog.String(string(keyAt), place) }
