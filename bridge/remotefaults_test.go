package bridge

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A wrong is what a server does instead of answering a call, and what the client is told
// then: a part of data of the error.
type wrong struct {
	name   string
	answer func(w http.ResponseWriter, q *query)
	want   string
}

// status answers by a status with a body that is no message.
func status(code int, headers ...string) func(http.ResponseWriter, *query) {
	return func(w http.ResponseWriter, _ *query) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		if code >= 300 && code != http.StatusNotModified {
			io.WriteString(w, "<html>a page</html>")
		}
	}
}

// message answers by a status with a body of JSON, in which ID is that of the request.
func message(code int, body string) func(http.ResponseWriter, *query) {
	return func(w http.ResponseWriter, q *query) { sendJSON(w, code, strings.ReplaceAll(body, "ID", q.id)) }
}

// typed answers by status 200 and this media type.
func typed(media, body string) func(http.ResponseWriter, *query) {
	return func(w http.ResponseWriter, q *query) {
		w.Header()["Content-Type"] = []string{media}
		io.WriteString(w, strings.ReplaceAll(body, "ID", q.id))
	}
}

const (
	anError     = `{"jsonrpc":"2.0","id":ID,"error":{"code":-32050,"message":"relayed","data":{"a":1}}}`
	anAnswer    = `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","content":[]}}`
	relayed     = `"error":{"code":-32050,"message":"relayed","data":{"a":1}}`
	invalid     = `"data":{"cause":"invalid_upstream_message"}`
	closedEarly = `"data":{"cause":"upstream_closed"}`
	encoded     = `"data":{"cause":"content_encoding"}`
)

// statusFaults are the statuses of T203.
func statusFaults() []wrong {
	var faults []wrong
	for _, code := range []int{201, 202, 203, 204, 205, 206} {
		faults = append(faults, wrong{fmt.Sprint(code), status(code), invalid})
	}
	for _, code := range []int{300, 301, 302, 303, 304, 305, 307, 308} {
		faults = append(faults, wrong{fmt.Sprint(code), status(code), fmt.Sprintf(`"data":{"cause":"redirect","status":%d}`, code)})
	}
	for _, code := range []int{400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 413, 414, 415, 418, 421, 422, 425, 429, 431, 451, 499, 500, 501, 502, 503, 504, 511, 599} {
		faults = append(faults,
			wrong{fmt.Sprint(code), status(code), fmt.Sprintf(`"data":{"cause":"http_status","status":%d}`, code)},
			wrong{fmt.Sprint(code, " with an error of the protocol"), message(code, anError), relayed},
			wrong{fmt.Sprint(code, " with an error for another request"), message(code, strings.Replace(anError, "ID", "ID0", 1)), fmt.Sprintf(`"data":{"cause":"http_status","status":%d}`, code)},
		)
	}
	return append(faults,
		wrong{"500 with a result", message(500, anAnswer), `"data":{"cause":"http_status","status":500}`},
		wrong{"500 with half a message", message(500, anError[:30]), `"data":{"cause":"http_status","status":500}`},
		wrong{"500 that is encoded", status(500, "Content-Encoding", "gzip", "Content-Type", "application/json"), `"data":{"cause":"http_status","status":500}`},
		wrong{"503 with seconds to wait", status(503, "Retry-After", "7"), `"data":{"cause":"http_status","status":503,"retryAfter":7}`},
		wrong{"503 with more than five minutes to wait", status(503, "Retry-After", "1000"), `"data":{"cause":"http_status","status":503,"retryAfter":300}`},
		wrong{"429 with a date in the past", status(429, "Retry-After", "Fri, 31 Dec 1999 23:59:59 GMT"), `"data":{"cause":"http_status","status":429}`},
		wrong{"429 with a date far away", status(429, "Retry-After", "Fri, 31 Dec 2100 23:59:59 GMT"), `"data":{"cause":"http_status","status":429,"retryAfter":300}`},
		wrong{"429 with another text", status(429, "Retry-After", "soon"), `"data":{"cause":"http_status","status":429}`},
	)
}

// bodyFaults are bodies of status 200 (T202, U08).
var bodyFaults = []wrong{
	{"page of a captive portal", typed("text/html; charset=utf-8", "<!DOCTYPE html><html><body>Log in to the network</body></html>"), invalid},
	{"page that says it is JSON", typed("application/json", "<!DOCTYPE html>"), invalid},
	{"no media type", typed("", anAnswer), invalid},
	{"text", typed("text/plain", anAnswer), invalid},
	{"other JSON", typed("application/problem+json", anAnswer), invalid},
	{"binary", typed("application/octet-stream", anAnswer), invalid},
	{"media type that is none", typed("application", anAnswer), invalid},
	{"empty JSON", typed("application/json", ""), invalid},
	{"blank JSON", typed("application/json", " \r\n\t"), invalid},
	{"half a message", typed("application/json", anAnswer[:40]), invalid},
	{"two messages", typed("application/json", anAnswer+anAnswer), invalid},
	{"message and more", typed("application/json", anAnswer+" x"), invalid},
	{"batch", typed("application/json", "["+anAnswer+"]"), invalid},
	{"bytes that are no UTF-8", typed("application/json", strings.Replace(anAnswer, "complete", "\xff", 1)), invalid},
	{"line break in a string", typed("application/json", strings.Replace(anAnswer, "complete", "com\nplete", 1)), invalid},
	{"answer to another request", typed("application/json", strings.Replace(anAnswer, "ID", "ID0", 1)), closedEarly},
	{"id as a string", typed("application/json", strings.Replace(anAnswer, "ID", `"ID"`, 1)), closedEarly},
	{"request of the server", typed("application/json", `{"jsonrpc":"2.0","id":ID,"method":"roots/list"}`), closedEarly},
	{"notification", typed("application/json", `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`), closedEarly},
	{"stream without events", typed("text/event-stream", ""), closedEarly},
	{"stream of comments", typed("text/event-stream", ": one\n\n: two\n\n"), closedEarly},
	{"stream with half an event", typed("text/event-stream", "data: "+anAnswer), closedEarly},
	{"stream with an event of another type", typed("text/event-stream", "event: other\ndata: "+anAnswer+"\n\n"), closedEarly},
	{"stream with the answer to another request", typed("text/event-stream", event(strings.Replace(anAnswer, "ID", "ID0", 1))), closedEarly},
	{"stream with a broken answer", typed("text/event-stream", event(strings.Replace(anAnswer, "]", "", 1))), invalid},
	{"stream of junk", typed("text/event-stream", strings.Repeat(event("junk"), 20)), invalid},
	{"gzip", func(w http.ResponseWriter, q *query) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, strings.ReplaceAll(anAnswer, "ID", q.id))
		z.Close()
		w.Header().Set("Content-Encoding", "gzip")
		sendJSON(w, 200, b.String())
	}, encoded},
	{"encoding that is none", func(w http.ResponseWriter, q *query) {
		w.Header().Set("Content-Encoding", "x-made-up")
		sendJSON(w, 200, strings.ReplaceAll(anAnswer, "ID", q.id))
	}, encoded},
	{"stream that is encoded", func(w http.ResponseWriter, q *query) {
		w.Header().Set("Content-Encoding", "br")
		stream(w)(event(strings.ReplaceAll(anAnswer, "ID", q.id)))
	}, encoded},
	{"connection that breaks in the body", func(w http.ResponseWriter, q *query) {
		w.Header().Set("Content-Length", "1000")
		sendJSON(w, 200, strings.ReplaceAll(anAnswer, "ID", q.id)[:20])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}, closedEarly},
	{"connection that breaks in a stream", func(w http.ResponseWriter, q *query) {
		stream(w)("data: {\n")
		panic(http.ErrAbortHandler)
	}, closedEarly},
	{"connection that breaks before the head", func(http.ResponseWriter, *query) { panic(http.ErrAbortHandler) }, `"data":{"cause":"network"}`},
}

// Whatever a server answers, the call fails with the cause of the table and the next one
// works; nothing is left open.
//
// req: U02, U08
func TestT203Faults(t *testing.T) {
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			open := descriptors(t)
			answers := make(map[string]func(http.ResponseWriter, *query))
			faults := append(statusFaults(), bodyFaults...)
			for _, f := range faults {
				answers[f.name] = f.answer
			}
			s := newSite(t, http2, answers)
			in, toBridge := io.Pipe()
			fromBridge, out := io.Pipe()
			k := bridgedOver(t, Config{Upstream: s.remote()}, in, toBridge, fromBridge, out).open()
			for _, f := range faults {
				t.Run(f.name, func(t *testing.T) {
					k.t = t
					id := k.call(f.name, `{}`)
					if got := k.receive(); !strings.Contains(got, fmt.Sprintf(`"id":%d,"error"`, id)) || !strings.Contains(got, f.want) {
						t.Errorf("got %.300q, want it to hold %q", got, f.want)
					}
					if got := len(s.queries(f.name)); got != 1 {
						t.Errorf("the request was sent %d times, want once", got)
					}
					k.wantNext()
				})
			}
			k.t = t
			k.leaveSite()
			s.Close()
			wantDescriptors(t, open)
		})
	}
}

// wantDescriptors wants the process to have no more files open than before.
func wantDescriptors(t *testing.T, before int) {
	t.Helper()
	now := 0
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if now = descriptors(t); now <= before {
			return
		}
	}
	t.Errorf("%d descriptors are open, want %d", now, before)
}
