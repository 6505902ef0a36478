package signin

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"os"
	"path/filepath"
	"testing"

	certificates "github.com/trestle-mcp/trestle/conformance/internal/authority"
)

// An authority is a private one, with a certificate for this machine.
type authority struct {
	pool             *x509.CertPool
	key              string // as Chromium names keys that it is to trust
	certificate, own string // files: the chain, and the key of the certificate
	root             string // a file: the certificate of the authority
}

func newAuthority(t *testing.T) authority {
	t.Helper()
	made, err := certificates.New()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(made.Root.RawSubjectPublicKeyInfo)
	a := authority{pool: x509.NewCertPool(), key: base64.StdEncoding.EncodeToString(sum[:])}
	a.pool.AddCert(made.Root)
	a.certificate = write(t, "certificate.pem", made.Chain)
	a.own = write(t, "key.pem", made.Key)
	a.root = write(t, "root.pem", made.RootPEM())
	return a
}

func write(t *testing.T, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
