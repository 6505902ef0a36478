package signin

import (
	"errors"
	"strings"
)

// maxAccount is the longest label of an account, in bytes.
const maxAccount = 64

// Check refuses options that cannot be used. The error holds nothing of their values.
func (o Options) Check() error {
	switch {
	case !isAccount(o.Account):
		return errors.New("the account is not at most 64 of A-Z, a-z, 0-9 and ._@-")
	case o.Client.ID != "" && !isClientID(o.Client.ID):
		return errors.New("the client is not of visible ASCII")
	case !isSecret(o.Client.Secret.Expose()):
		return errors.New("the secret is not of visible ASCII")
	case o.Client.Issuer != "" && !isIssuerURL(o.Client.Issuer, o.AllowLoopbackHTTP):
		return errors.New("the issuer has to be an https URL without user information, query and fragment")
	case o.Client.MetadataURL != "" && !isDocumentURL(o.Client.MetadataURL):
		return errors.New("the metadata of the client has to be at an https URL with a path, without user information and fragment")
	case o.Client.MetadataURL != "" && o.Client.ID != "":
		return errors.New("the metadata of a client and a client exclude each other")
	case o.Resource != "" && !covers(o.Resource, o.URL):
		return errors.New("the resource has to be a URL that the one of the server begins with")
	}
	for _, scope := range o.Scopes {
		if scope == "" || strings.ContainsFunc(scope, isNoScope) {
			return errors.New("a scope has to be of visible ASCII without quote and backslash")
		}
	}
	return nil
}

func isAccount(label string) bool {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._@-"
	return len(label) <= maxAccount && strings.Trim(label, alphabet) == ""
}

// isDocumentURL reports whether a text can be the URL of metadata of a client, which is its
// id: it has a path, since an origin is not one program.
func isDocumentURL(text string) bool {
	u, ok := parseURL(text, false)
	return ok && len(strings.Trim(u.Path, "/")) > 0
}

// resource is what tokens are asked for.
func (o *Options) resource(found resource) string {
	switch {
	case o.OmitResource:
		return ""
	case o.Resource != "":
		return o.Resource
	}
	return found.id
}
