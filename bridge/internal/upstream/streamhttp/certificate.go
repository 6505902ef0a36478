package streamhttp

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
)

// A Distrust says why a certificate was refused, to a person.
type Distrust struct {
	Text   string // a constant
	Issuer string // who has issued it, as it says itself
}

// distrustOf returns what there is to say about an error of a handshake, or nil.
func distrustOf(err error) *Distrust {
	refused, ok := errors.AsType[*tls.CertificateVerificationError](err)
	if !ok || len(refused.UnverifiedCertificates) == 0 {
		return nil
	}
	d := &Distrust{Text: "the certificate of the server is not valid", Issuer: issuerOf(refused.UnverifiedCertificates[0])}
	if _, unknown := errors.AsType[x509.UnknownAuthorityError](err); unknown {
		d.Text = "the certificate of the server comes from an authority that is not trusted; if it is one of your own network, name its certificate with --ca-file"
	}
	if _, name := errors.AsType[x509.HostnameError](err); name {
		d.Text = "the certificate of the server is for another host"
	}
	if invalid, is := errors.AsType[x509.CertificateInvalidError](err); is && invalid.Reason == x509.Expired {
		d.Text = "the certificate of the server has expired, or is not valid yet; check the clock of this machine"
	}
	return d
}

func issuerOf(c *x509.Certificate) string {
	switch {
	case c.Issuer.CommonName != "":
		return c.Issuer.CommonName
	case len(c.Issuer.Organization) > 0:
		return c.Issuer.Organization[0]
	}
	return ""
}
