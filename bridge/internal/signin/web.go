package signin

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// A web makes the requests of a sign-in, all of them with the same limits.
type web struct{ client *http.Client }

// An answer is what came for a request. The body is read where it may be of use.
type answer struct {
	status int
	json   bool
	body   []byte
}

// get asks for a document.
func (w web) get(ctx context.Context, target *url.URL) (answer, Detail, error) {
	return w.send(ctx, &http.Request{Method: http.MethodGet, URL: target, Header: http.Header{}}, maxMetadata)
}

// post sends a body of a type. Further headers may be nil.
func (w web) post(ctx context.Context, target *url.URL, contentType, body string, h http.Header) (answer, Detail, error) {
	header := http.Header{"Content-Type": {contentType}}
	maps.Copy(header, h)
	return w.send(ctx, &http.Request{
		Method: http.MethodPost, URL: target, Header: header,
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}, maxAnswer)
}

// send sends a request. If there is no answer, the detail says why; the error is that of
// the context, if that has ended.
func (w web) send(ctx context.Context, r *http.Request, limit int64) (answer, Detail, error) {
	limited, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	r.Header["Accept"] = []string{"application/json"}
	r.Header["Accept-Encoding"] = []string{"identity"}
	res, err := w.client.Do(r.WithContext(limited))
	if err != nil {
		return answer{}, detailOf(limited, err), ctx.Err()
	}
	defer res.Body.Close()
	a := answer{status: res.StatusCode, json: isJSON(res.Header.Get("Content-Type"))}
	if !a.json || a.status >= 300 && a.status < 400 {
		return a, "", nil
	}
	if isEncoded(res.Header) {
		return answer{}, DetailEncoded, nil
	}
	if a.body, err = io.ReadAll(io.LimitReader(res.Body, limit+1)); err != nil {
		return answer{}, detailOf(limited, err), ctx.Err()
	}
	if int64(len(a.body)) > limit {
		return answer{}, DetailTooLarge, nil
	}
	return a, "", nil
}

func isEncoded(h http.Header) bool {
	for _, line := range h["Content-Encoding"] {
		for coding := range strings.SplitSeq(line, ",") {
			if c := strings.TrimSpace(coding); c != "" && !strings.EqualFold(c, "identity") {
				return true
			}
		}
	}
	return false
}

// detailOf says why there is no answer. The error itself may hold a URL.
func detailOf(ctx context.Context, err error) Detail {
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	switch {
	case errors.Is(err, errBlocked):
		return DetailBlocked
	case untrusted:
		return DetailCertificate
	case ctx.Err() != nil:
		return DetailSlow
	}
	return DetailUnreachable
}

// stopped is the error of something that got no answer.
func stopped(cause mcpwire.Cause, d Detail, err error) *Error {
	if errors.Is(err, context.Canceled) {
		return &Error{Cause: mcpwire.CauseSignInAborted, err: err}
	}
	return &Error{Cause: cause, Detail: d, err: err}
}
