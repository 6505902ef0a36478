// Package authority makes private certificate authorities, for servers that the
// tests reach over TLS.
package authority

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// An Authority is a private one, with a certificate for this machine: for localhost
// and the loopback addresses. Both are valid for a day.
type Authority struct {
	Root  *x509.Certificate
	Chain []byte // PEM: the certificate of this machine, and that of the authority
	Key   []byte // PEM: the key of the certificate of this machine
}

// New makes an Authority with keys of its own.
func New() (*Authority, error) {
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "conformance"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "localhost"},
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, NotBefore: root.NotBefore, NotAfter: root.NotAfter,
	}
	rootKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the key of an authority: %w", err)
	}
	leafKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the key of a certificate: %w", err)
	}
	if root, err = signed(root, root, &rootKey.PublicKey, rootKey); err != nil {
		return nil, err
	}
	if leaf, err = signed(leaf, root, &leafKey.PublicKey, rootKey); err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(leafKey)
	if err != nil {
		return nil, fmt.Errorf("encode the key of a certificate: %w", err)
	}
	a := &Authority{Root: root, Key: block("PRIVATE KEY", private)}
	a.Chain = append(block("CERTIFICATE", leaf.Raw), a.RootPEM()...)
	return a, nil
}

// RootPEM returns the certificate of the authority, for those that are to trust it.
func (a *Authority) RootPEM() []byte { return block("CERTIFICATE", a.Root.Raw) }

func signed(c, parent *x509.Certificate, key *ecdsa.PublicKey, parentKey *ecdsa.PrivateKey) (*x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, c, parent, key, parentKey)
	if err != nil {
		return nil, fmt.Errorf("sign a certificate: %w", err)
	}
	return x509.ParseCertificate(der)
}

func block(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
