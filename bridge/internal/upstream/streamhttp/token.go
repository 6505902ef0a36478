package streamhttp

import (
	"net/http"
	"strings"
)

// authorize adds the token of the request, if there is one (U15).
func (x *exchange) authorize(h http.Header) error {
	if x.c.o.Token == nil {
		return nil
	}
	token, err := x.c.o.Token(x.ctx)
	switch {
	case err != nil || token == "":
		return err
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return errToken
	}
	h[authorization] = []string{"Bearer " + token}
	return nil
}
