package oauthloopback

import (
	"net/http"
	"strconv"
)

// A reply is what one request is answered with.
type reply struct {
	status int
	body   string  // HTML
	target AuthURL // of a redirect
	event  EventKind
	after  func() // to be called when the reply is written
}

func (r reply) to(target AuthURL) reply {
	r.target = target
	return r
}

func (r reply) with(event EventKind) reply {
	r.event = event
	return r
}

func (r reply) then(after func()) reply {
	r.after = after
	return r
}

// Nothing of a reply is kept, shown in a frame, taken for another type, or sent
// on to another host; nothing is loaded for it, which keeps browsers from asking
// for an icon with the code in the Referer.
const replyHeaders = "Connection: close\r\n" +
	"Cache-Control: no-store\r\n" +
	"Referrer-Policy: no-referrer\r\n" +
	"X-Content-Type-Options: nosniff\r\n" +
	"X-Frame-Options: DENY\r\n" +
	"Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n" +
	"Cross-Origin-Resource-Policy: same-origin\r\n"

// appendTo appends the reply to a request of a method.
func (r reply) appendTo(out []byte, method string) []byte {
	out = append(out, "HTTP/1.1 "+strconv.Itoa(r.status)+" "+http.StatusText(r.status)+"\r\n"+replyHeaders...)
	if r.status == http.StatusSeeOther {
		out = append(out, "Location: "+r.target.Raw()+"\r\n"...)
	}
	if r.body != "" {
		out = append(out, "Content-Type: text/html; charset=utf-8\r\n"...)
	}
	out = append(out, "Content-Length: "+strconv.Itoa(len(r.body))+"\r\n\r\n"...)
	if method == http.MethodHead {
		return out
	}
	return append(out, r.body...)
}
