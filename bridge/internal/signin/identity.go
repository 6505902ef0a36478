package signin

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"net/url"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// Who the bridge is (S11). A consent page never shows the name of an editor, which has
// sign-ins of its own.
const (
	clientName = "mcp-bridge-vscode (trestle)" // for the pages of authorization servers
	appName    = "mcp-bridge-vscode"           // for the pages of the bridge
	identity   = "mcp-bridge-vscode"           // for what is stored; a changed one loses every sign-in
)

// The kinds of records, in their Meta.
const (
	kindKey    = "kind"
	kindSignIn = "sign-in"
	kindClient = "client"
	metaOrigin = "origin" // beside kindSignIn: of the server, for people
)

// signInID returns where the sign-in of an account at a server is kept. It comes from these
// two alone, so no server can name the record of another (V05).
func signInID(account string, server *url.URL) tokenvault.ID {
	u := originOf(server) + server.EscapedPath()
	if server.Path == "" {
		u += "/"
	}
	if server.RawQuery != "" {
		u += "?" + server.RawQuery
	}
	return tokenvault.ID{Service: identity, Account: account, Key: digest("v1", identity, account, u)}
}

// clientRecordID returns where the client is kept that was registered at an issuer. All
// servers of that issuer share it (P07).
func clientRecordID(issuer, redirectURI string) tokenvault.ID {
	return tokenvault.ID{Service: identity, Key: digest("client-v1", identity, issuer, redirectURI)}
}

// digest is a hash of texts that no other texts have.
func digest(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		h.Write([]byte(text))
	}
	return hex.EncodeToString(h.Sum(nil))
}
