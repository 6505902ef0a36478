package streamhttp

import (
	"io"
	"net/http"
	"net/url"

	"github.com/trestle-mcp/trestle/bridge/internal/halt"
)

// next returns where a response sends the request, if it may go there (U07): a redirect
// that keeps the method, within the origin. Else the response is the answer.
func (x *exchange) next(from *url.URL, res *response, hop int) *url.URL {
	switch res.StatusCode {
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil
	}
	if x.c.o.NoRedirects || hop == maxRedirects {
		return nil
	}
	to, err := from.Parse(res.Header.Get("Location"))
	if err != nil || res.Header.Get("Location") == "" || to.User != nil || !sameOrigin(from, to) {
		return nil
	}
	to.Fragment, to.RawFragment = "", ""
	return to
}

// leave reads what little is left of a response that nobody wants, so that its connection
// can be used again.
func (r *response) leave() {
	defer halt.After(leftoverTime, r.end)()
	io.CopyN(io.Discard, r.Body, leftover)
	r.close()
}

// close gives the response up.
func (r *response) close() {
	r.Body.Close()
	r.end()
}
