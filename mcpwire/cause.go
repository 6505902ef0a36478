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

	CauseSignInNoConsent               Cause = "sign_in_no_consent"
	CauseSignInDeclined                Cause = "sign_in_declined"
	CauseSignInCooldown                Cause = "sign_in_cooldown"
	CauseSignInDenied                  Cause = "sign_in_denied"
	CauseSignInError                   Cause = "sign_in_error"
	CauseSignInTimeout                 Cause = "sign_in_timeout"
	CauseSignInAborted                 Cause = "sign_in_aborted"
	CauseSignInStartReused             Cause = "sign_in_start_reused"
	CauseSignInSandbox                 Cause = "sign_in_sandbox"
	CauseRedirectPortInUse             Cause = "redirect_port_in_use"
	CauseInvalidAuthorizationURL       Cause = "invalid_authorization_url"
	CauseDiscoveryFailed               Cause = "discovery_failed"
	CauseNoResourceMetadata            Cause = "no_resource_metadata"
	CauseResourceMismatch              Cause = "resource_mismatch"
	CauseNoAuthorizationServer         Cause = "no_authorization_server"
	CauseNoAuthorizationServerMetadata Cause = "no_authorization_server_metadata"
	CauseIssuerMismatch                Cause = "issuer_mismatch"
	CauseIssuerNotRegistered           Cause = "issuer_not_registered"
	CausePKCEUnsupported               Cause = "pkce_unsupported"
	CauseRegistrationUnavailable       Cause = "registration_unavailable"
	CauseRegistrationFailed            Cause = "registration_failed"
	CauseAuthMethodUnsupported         Cause = "auth_method_unsupported"
	CauseIssMissing                    Cause = "iss_missing"
	CauseIssMismatch                   Cause = "iss_mismatch"
	CauseTokenExchangeFailed           Cause = "token_exchange_failed"
	CauseTokenTypeUnsupported          Cause = "token_type_unsupported"
	CauseRefreshFailed                 Cause = "refresh_failed"
	CauseInsufficientScope             Cause = "insufficient_scope"
	CauseUpstreamUnauthorized          Cause = "upstream_unauthorized"
	CauseUpstreamForbidden             Cause = "upstream_forbidden"
	CauseDPoPRequired                  Cause = "dpop_required"
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
	{CauseUpstreamLegacy, codeInternal, "The server speaks only an older protocol revision, and was asked for the newest one alone.",
		"Leave out --upstream-era modern. At a URL, check that first: a wrong one can look like this."},
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
	{CauseSignInNoConsent, codeInternal, "The server wants a sign-in, and the editor cannot ask for it now.",
		"Restart the server in the editor: the sign-in happens while it starts. Another way is an editor that shows URL questions."},
	{CauseSignInDeclined, codeInternal, "The sign-in was declined.",
		"Use the server again after a minute, and agree to the sign-in."},
	{CauseSignInCooldown, codeInternal, "The server wants a sign-in, which did not succeed a moment ago.",
		"Wait a minute, then use the server again."},
	{CauseSignInDenied, codeInternal, "The authorization server denied access.",
		"Sign in again with an account that may use the server, and allow what the page asks for."},
	{CauseSignInError, codeInternal, "The sign-in ended with an error.",
		"The log has the code of the error. With invalid_scope check --scope, and with invalid_target --resource. Otherwise sign in again, or report the code to the makers of the authorization server."},
	{CauseSignInTimeout, codeInternal, "The sign-in was not finished in time.",
		"Sign in again, or raise --sign-in-timeout. If the page of the authorization server showed an error, check --client-id, and that its redirect URI is registered; without that option run the command logout: the server may have forgotten the bridge."},
	{CauseSignInAborted, codeInternal, "The sign-in was given up.",
		"Use the server again to sign in."},
	{CauseSignInStartReused, codeInternal, "The link of the sign-in was opened twice.",
		"Another program possibly opened it. Sign in again; on a machine that others use, with --no-browser."},
	{CauseSignInSandbox, codeInternal, "The server wants a sign-in, and the sandbox allows none.",
		"Start the server once in the editor without its sandbox, or run the command check in a terminal, and sign in there."},
	{CauseRedirectPortInUse, codeInternal, "Another program has the port that the sign-in needs.",
		"End that program, or choose another port with --redirect-port. The log names the port."},
	{CauseInvalidAuthorizationURL, codeInternal, "The authorization server has an address that is not safe to open.",
		"Report this to the makers of the authorization server."},
	{CauseDiscoveryFailed, codeInternal, "What a sign-in needs to know could not be read.",
		"The log says what is in the way. A certificate of a private authority is trusted with --ca-file. An authorization server in a private network, where the server is in none, is reached with --auth-private-host. Else try again later."},
	{CauseNoResourceMetadata, codeInternal, "The server wants a sign-in and does not say where.",
		"Report this to the makers of the server: it publishes no metadata of a protected resource. A token that you have works without, with --header-env."},
	{CauseResourceMismatch, codeInternal, "The server names another resource than itself.",
		"Check the URL for a typing error. If it is right, report this to the makers of the server."},
	{CauseNoAuthorizationServer, codeInternal, "The server names no authorization server that can be used.",
		"Report this to the makers of the server."},
	{CauseNoAuthorizationServerMetadata, codeInternal, "The authorization server publishes no metadata.",
		"Report this to the makers of the server or of its authorization server."},
	{CauseIssuerMismatch, codeInternal, "The authorization server calls itself by another name than the server does.",
		"The log has both names. If they differ in a slash at the end alone, give the authorization server's with --client-issuer; otherwise report this to the makers of the server."},
	{CauseIssuerNotRegistered, codeInternal, "The server does not use the authorization server of the configured client.",
		"Check --client-issuer, or leave out --client-id and --client-issuer."},
	{CausePKCEUnsupported, codeInternal, "The authorization server does not offer the proof that a safe sign-in needs.",
		"Report this to the makers of the authorization server: its metadata must list S256 as a code challenge method."},
	{CauseRegistrationUnavailable, codeInternal, "The authorization server takes no new clients.",
		"Register a client there by hand, and give --client-id and --client-issuer. The log has the redirect URI to register."},
	{CauseRegistrationFailed, codeInternal, "The authorization server refused to register a client.",
		"The log has its code. Register a client there by hand, and give --client-id and --client-issuer."},
	{CauseAuthMethodUnsupported, codeInternal, "The authorization server wants clients to prove themselves in a way that is not supported.",
		"Register a client there by hand that uses a secret or none, and give --client-id and --client-issuer."},
	{CauseIssMissing, codeInternal, "The answer of the sign-in does not say who it is from.",
		"Sign in again. If that does not help, report this to the makers of the authorization server."},
	{CauseIssMismatch, codeInternal, "The answer of the sign-in is from another authorization server.",
		"Somebody may be tampering with the sign-in. If it happens again, report this to the makers of the server."},
	{CauseTokenExchangeFailed, codeInternal, "The authorization server gave no token.",
		"The log has its code. With invalid_client, check --client-id and its secret. Otherwise sign in again; if that does not help, report the code to the makers of the authorization server."},
	{CauseTokenTypeUnsupported, codeInternal, "The authorization server gave a token of a type that is not supported.",
		"Report this to the makers of the authorization server: the type must be Bearer."},
	{CauseRefreshFailed, codeInternal, "The token has expired, and could not be renewed now.",
		"Try again later: the sign-in is kept."},
	{CauseInsufficientScope, codeInternal, "The sign-in does not allow this.",
		"Sign in with an account that may do this. The server wants a scope that the authorization server did not give."},
	{CauseUpstreamUnauthorized, codeInternal, "The server does not accept the sign-in.",
		"Run the command logout and sign in again. If that does not help, report this to the makers of the server."},
	{CauseUpstreamForbidden, codeInternal, "The server does not allow this.",
		"Ask those who run the server for access: another sign-in does not help."},
	{CauseDPoPRequired, codeInternal, "The server wants tokens that are bound to a key, which is not supported.",
		"Report this to the makers of the server, or give it a token with --header-env, if it takes one of another kind."},
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
