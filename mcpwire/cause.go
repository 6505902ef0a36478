package mcpwire

import "slices"

// A Cause is the word in data.cause of an error that the bridge itself makes. The
// set is closed. A new cause is a minor change of this module, a renamed one is a
// breaking change.
type Cause string

// The causes.
const (
	CauseBusy               Cause = "busy"
	CauseNotInitialized     Cause = "not_initialized"
	CauseAlreadyInitialized Cause = "already_initialized"
	CauseInvalidRequest     Cause = "invalid_request"
	CauseMethodNotFound     Cause = "method_not_found"
	CauseInvalidParams      Cause = "invalid_params"
	CauseParseError         Cause = "parse_error"
	CauseTooLarge           Cause = "too_large"
	CauseTooDeep            Cause = "too_deep"

	CauseTimeout                Cause = "timeout"
	CauseUpstreamExited         Cause = "upstream_exited"
	CauseUpstreamClosed         Cause = "upstream_closed"
	CauseUpstreamStalled        Cause = "upstream_stalled"
	CauseInvalidUpstreamMessage Cause = "invalid_upstream_message"
	CauseResponseTooLarge       Cause = "response_too_large"
	CauseContentEncoding        Cause = "content_encoding"
	CauseUnsupportedVersion     Cause = "unsupported_protocol_version"
	CauseUpstreamLegacy         Cause = "upstream_legacy"
	CauseSubscriptionRefused    Cause = "subscription_refused"
	CauseURLElicitation         Cause = "url_elicitation_error"
	CauseHeaderMismatch         Cause = "header_mismatch"

	CauseHTTPStatus   Cause = "http_status"
	CauseRedirect     Cause = "redirect"
	CauseTLS          Cause = "tls"
	CauseNetwork      Cause = "network"
	CauseProxy        Cause = "proxy"
	CauseInvalidToken Cause = "invalid_token"

	CauseInputRefused    Cause = "input_refused"
	CauseInputLimit      Cause = "input_limit"
	CauseInputFailed     Cause = "input_failed"
	CauseInputTimeout    Cause = "input_timeout"
	CauseRoundsExhausted Cause = "rounds_exhausted"
)

// Codes of JSON-RPC and of the protocol that rules read or write.
const (
	codeParse              = -32700
	codeInvalidRequest     = -32600
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeInternal           = -32603
	codeRefused            = -32000 // of the front: a person has refused sampling, or there is no model
	codeResourceNotFound   = -32002
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
	codeURLElicitation     = -32042
)

// A causeRow is one row of the table of causes.
type causeRow struct {
	cause Cause
	code  int
	text  string // for the peer
	help  string // for a person
}

// causes is the one place of these texts; the page CAUSES.md is made from it.
var causes = []causeRow{
	{CauseBusy, codeInternal, "Too many requests are in flight.",
		"Wait for answers before sending more requests."},
	{CauseNotInitialized, codeInvalidRequest, "The session is not initialized.",
		"The client must send initialize, and wait for its result, first."},
	{CauseAlreadyInitialized, codeInvalidRequest, "The session is already initialized.",
		"The client must send initialize once; restart the server in the editor for a new session."},
	{CauseInvalidRequest, codeInvalidRequest, "The message is not a valid request.",
		"The client sent something that is not a JSON-RPC 2.0 message, or used the id of a request that is still in flight."},
	{CauseMethodNotFound, codeMethodNotFound, "The method is not available.",
		"The server does not offer this feature, or the bridge does not carry it."},
	{CauseInvalidParams, codeInvalidParams, "The parameters of the request are not valid.",
		"The client left out a required parameter or gave one of the wrong type."},
	{CauseParseError, codeParse, "The message could not be parsed.",
		"The client sent a line that is not JSON in UTF-8."},
	{CauseTooLarge, codeInvalidRequest, "The message is too large.",
		"Send less in one message, or raise --max-line-bytes."},
	{CauseTooDeep, codeInvalidRequest, "The message is nested too deeply.",
		"The client may nest values 64 levels deep."},
	{CauseTimeout, codeInternal, "The server did not answer in time.",
		"Look at the server's own log; for a slow start, raise --discover-timeout."},
	{CauseUpstreamExited, codeInternal, "The server has exited or could not be started.",
		"Run the server's command in a terminal to see why, then restart it in the editor."},
	{CauseUpstreamClosed, codeInternal, "The server has closed its output.",
		"Look at the server's own log, then restart it in the editor."},
	{CauseUpstreamStalled, codeInternal, "The server does not read its input.",
		"Look at the server's own log, then restart it in the editor."},
	{CauseInvalidUpstreamMessage, codeInternal, "The server sent a message that is not valid.",
		"Report this to the makers of the server; the log names the rule. At a URL, a page of the network that wants a sign-in may have answered in its place."},
	{CauseResponseTooLarge, codeInternal, "The answer of the server is too large.",
		"Ask the server for less, or raise --max-line-bytes, at a URL --max-response-bytes."},
	{CauseContentEncoding, codeInternal, "The server sent its answer in an encoding that was not asked for.",
		"Report this to the makers of the server, or of what stands before it: the bridge asks for answers as they are."},
	{CauseUnsupportedVersion, codeInternal, "The server speaks no protocol revision that the bridge knows.",
		"Update the bridge or the server."},
	{CauseUpstreamLegacy, codeInternal, "The server speaks only an older protocol revision, which the bridge does not carry yet.",
		"Start this server in the editor without the bridge. At a URL, check that first: a wrong one can look like this."},
	{CauseSubscriptionRefused, codeInternal, "The server does not send notifications about this resource.",
		"The resource can still be read; its changes are not seen until it is opened again."},
	{CauseURLElicitation, codeInternal, "The server asked for a URL elicitation in a form that this protocol revision does not allow.",
		"Report this to the makers of the server."},
	{CauseHeaderMismatch, codeInternal, "The server says that the headers of a request do not fit its body.",
		"Something between the bridge and the server changes headers: look at proxies and gateways."},
	{CauseHTTPStatus, codeInternal, "The server answered with an HTTP error.",
		"The status says why: 401 and 403 ask for other credentials, as --header-env gives them, 404 for another URL; 429 and those from 500 on pass with time."},
	{CauseRedirect, codeInternal, "The server redirects the request to where it must not go.",
		"Give the URL that the server redirects to, if you trust it. Only a redirect that keeps origin and method is followed, and none with --redirects none."},
	{CauseTLS, codeInternal, "The connection to the server is not secure.",
		"The certificate of the server, or of what stands before it, is not trusted or is for another host, or what answers does not speak TLS. Name a private authority with --ca-file."},
	{CauseNetwork, codeInternal, "The server cannot be reached.",
		"Check the URL and the network; requests go on when the server is back."},
	{CauseProxy, codeInternal, "The proxy does not connect to the server.",
		"Check HTTPS_PROXY, ALL_PROXY and NO_PROXY, and what the proxy allows."},
	{CauseInvalidToken, codeInternal, "The access token is not one that a header can hold.",
		"Sign in again; if that does not help, report this to the makers of the authorization server."},
	{CauseInputRefused, codeInternal, "The server asked for input in a way that is not allowed.",
		"Report this to the makers of the server: it asked for something that the editor has not declared, or asked in a form that the protocol forbids."},
	{CauseInputLimit, codeInternal, "The server asked for too much input at once.",
		"Report this to the makers of the server; data.detail may name the question."},
	{CauseInputFailed, codeInternal, "The input that the server asked for was not given, or does not fit.",
		"Try again, and answer every question; an answer must fit its form."},
	{CauseInputTimeout, codeInternal, "The input that the server asked for was not given in time.",
		"Try again, and answer within an hour."},
	{CauseRoundsExhausted, codeInternal, "The server asked for input too often.",
		"Report this to the makers of the server: one request may ask ten times."},
}

// Causes returns every cause, in the order of the documentation.
func Causes() []Cause {
	all := make([]Cause, len(causes))
	for i, r := range causes {
		all[i] = r.cause
	}
	return all
}

// Code returns the JSON-RPC error code that goes with c.
func (c Cause) Code() int { return c.row().code }

// Text returns the constant text for the peer.
func (c Cause) Text() string { return c.row().text }

// Help returns what a person can do, in one or two sentences.
func (c Cause) Help() string { return c.row().help }

// row finds the row of c. A cause outside the table is a mistake of this program,
// which must not end a session: it reads as an internal error without text.
func (c Cause) row() *causeRow {
	i := slices.IndexFunc(causes, func(r causeRow) bool { return r.cause == c })
	if i < 0 {
		return &causeRow{cause: c, code: codeInternal}
	}
	return &causes[i]
}
