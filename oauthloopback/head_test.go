package oauthloopback

import (
	"bytes"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// stream is a connection whose input is all there, and ends.
type stream struct {
	net.Conn
	in  io.Reader
	out bytes.Buffer
}

func (s *stream) Read(b []byte) (int, error)       { return s.in.Read(b) }
func (s *stream) Write(b []byte) (int, error)      { return s.out.Write(b) }
func (s *stream) SetReadDeadline(time.Time) error  { return nil }
func (s *stream) SetWriteDeadline(time.Time) error { return nil }

// Whatever is sent, the answer is one of a few fixed texts, and only the start URL and
// a redirect with the state change anything.
//
// req: S08, S09
func FuzzRequest(f *testing.F) {
	const host = "127.0.0.1:41894"
	made := &Receiver{host: host}
	token := strings.Repeat("t", 43)
	for _, target := range []string{"/", "/callback" + codeQuery, "/callback" + errorQuery, "/start/" + token, "/start/x", "*"} {
		for _, method := range []string{"GET", "POST", "HEAD"} {
			f.Add([]byte(request(made, method, target)))
		}
	}
	f.Add([]byte("\x16\x03\x01\x02\x00"))
	f.Add([]byte("PRI * HTTP/2.0\r\n\r\n"))
	f.Add([]byte(request(made, "GET", "/", "Sec-Fetch-Dest: image", "Purpose: prefetch", "Content-Length: 7") + "abcdefg"))
	f.Fuzz(func(t *testing.T, in []byte) {
		s, err := config().checked()
		if err != nil {
			t.Fatal(err)
		}
		r := &Receiver{settings: s, host: host, deadline: time.Now().Add(time.Hour), ended: make(chan struct{})}
		r.signIn.startOn, r.signIn.token = true, NewSecret(token)
		r.signIn.target = AuthURL{seal(authURL{goodBase, r}, "")}
		c := &stream{in: bytes.NewReader(in)}
		server := &server{heads: s.heads, answer: r.answer}
		server.converse(&conn{Conn: c})
		if out := c.out.String(); out != "" && !isFixed(s.pages, r.signIn.target, out) {
			t.Errorf("%q is answered with %q", in, out)
		}
		if r.signIn.startUsed && !bytes.Contains(in, []byte("GET /start/"+token+" ")) {
			t.Errorf("%q used the start URL", in)
		}
		if r.signIn.phase != waiting && (!bytes.HasPrefix(in, []byte("GET /callback?")) || r.signIn.redirect.State() != testState) {
			t.Errorf("%q ended the wait", in)
		}
	})
}

// isFixed says that out is one of the replies, to a method with or without a body.
func isFixed(p pages, target AuthURL, out string) bool {
	for _, r := range []reply{p.done, p.reused, p.late, p.over, p.bad, notFound, badRequest, later, seeOther.to(target), headTooLarge} {
		for _, method := range []string{"GET", "HEAD"} {
			if out == string(r.appendTo(nil, method)) {
				return true
			}
		}
	}
	return false
}
