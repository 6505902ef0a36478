package signin

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// ClientOptions say what the bridge is known as. All are optional.
type ClientOptions struct {
	ID     string            // of a client that was registered by hand
	Secret tokenvault.Secret // of that client; then Issuer is there
	Issuer string            // of the authorization server that is to be used

	// MetadataURL is where the metadata of the client is. If empty, it is that of the
	// project, if the redirect URI is the one in there.
	MetadataURL string
}

// The document of the project, whose only redirect URI is that of the default port. There
// is none until a release has published it (S12).
const (
	projectDocument = ""
	projectRedirect = "http://127.0.0.1:41894/callback"
)

// A registration finds or makes a client for one redirect URI.
type registration struct {
	web      web
	clients  clientStore
	options  ClientOptions
	redirect string
}

// client returns what to be known as at a server: the configured client, or else the URL
// of metadata where the server reads such, or else the client that was registered there
// before, or else a new one.
func (r *registration) client(ctx context.Context, s authServer) (client, *Error) {
	if o := r.options; o.ID != "" {
		if o.Issuer != "" && o.Issuer != s.issuer {
			return client{}, because(mcpwire.CauseIssuerNotRegistered)
		}
		method, err := methodOf(o.Secret, s.methods)
		return client{source: sourceConfigured, id: o.ID, secret: o.Secret, method: method}, err
	}
	if u := r.document(); u != "" && s.documents {
		return client{source: sourceDocument, id: u, method: methodNone}, nil
	}
	kept := r.clients.get(ctx, s.issuer, r.redirect)
	if kept.isUsable(time.Now()) {
		return kept.client, nil
	}
	if s.registration == nil {
		return client{}, because(mcpwire.CauseRegistrationUnavailable)
	}
	made, err := r.register(ctx, s)
	if err != nil {
		return client{}, err
	}
	made.omitOffline = kept.omitOffline
	r.clients.put(ctx, s.issuer, r.redirect, made)
	return made.client, nil
}

// document returns the URL of the metadata of the client, or "".
func (r *registration) document() string {
	if r.options.MetadataURL != "" {
		return r.options.MetadataURL
	}
	if r.redirect == projectRedirect {
		return projectDocument
	}
	return ""
}

// register registers a client (RFC 7591).
func (r *registration) register(ctx context.Context, s authServer) (keptClient, *Error) {
	method, err := askedMethod(s.methods)
	if err != nil {
		return keptClient{}, err
	}
	body, _ := json.Marshal(map[string]any{ // of strings alone
		"client_name":                clientName,
		"redirect_uris":              []string{r.redirect},
		"grant_types":                []string{grantCode, grantRefresh},
		"response_types":             []string{"code"},
		"application_type":           "native",
		"token_endpoint_auth_method": method,
	})
	a, detail, failure := r.web.post(ctx, s.registration, "application/json", string(body), nil)
	if detail != "" || failure != nil {
		return keptClient{}, stopped(mcpwire.CauseRegistrationFailed, detail, failure)
	}
	return readRegistration(a, s)
}

// askedMethod is how the new client is to prove itself.
func askedMethod(listed []string) (string, *Error) {
	if listed == nil {
		return methodNone, nil
	}
	for _, m := range []string{methodNone, methodPost, methodBasic} {
		if slices.Contains(listed, m) {
			return m, nil
		}
	}
	return "", because(mcpwire.CauseAuthMethodUnsupported)
}

// readRegistration reads the answer to a registration. Of an error only its code is kept,
// since the rest may hold what the server has just made up for the client.
func readRegistration(a answer, s authServer) (keptClient, *Error) {
	doc, ok := parseDocument(a.body)
	if a.status != http.StatusOK && a.status != http.StatusCreated {
		return keptClient{}, refusal(mcpwire.CauseRegistrationFailed, a.status, doc)
	}
	if !ok || !isClientID(doc.text("client_id")) {
		return keptClient{}, &Error{Cause: mcpwire.CauseRegistrationFailed, Detail: DetailNoClient}
	}
	secret := doc.text("client_secret")
	if !isSecret(secret) {
		return keptClient{}, &Error{Cause: mcpwire.CauseRegistrationFailed, Detail: DetailNoClient}
	}
	k := keptClient{client: client{source: sourceRegistered, id: doc.text("client_id"), secret: tokenvault.NewSecret([]byte(secret))}}
	if at, ok := doc.number("client_secret_expires_at"); ok && at > 0 && secret != "" {
		k.expires = time.Unix(int64(min(at, 1<<40)), 0)
	}
	var err *Error
	switch m := doc.text("token_endpoint_auth_method"); {
	case m == "":
		k.method, err = methodOf(k.secret, s.methods)
	case m == methodNone, (m == methodPost || m == methodBasic) && secret != "":
		k.method = m
	default:
		err = because(mcpwire.CauseAuthMethodUnsupported)
	}
	return k, err
}

// refusal is the error of an answer that says no.
func refusal(c mcpwire.Cause, status int, doc document) *Error {
	e := &Error{Cause: c, Status: status}
	if code := doc.text("error"); isErrorCode(code) {
		e.Code = code
	}
	return e
}

func isClientID(text string) bool {
	return text != "" && len(text) <= maxClientID && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// isSecret reports whether a text can be sent as the secret of a client. It may be empty.
func isSecret(text string) bool {
	return len(text) <= maxToken && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}
