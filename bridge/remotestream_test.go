package bridge

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// One response, or one event, that is longer than the limit fails its request at once,
// and a stream of many events has no limit.
//
// req: U04
func TestU04Limits(t *testing.T) {
	const limit = 1 << 20
	sized := func(id string, size int) string {
		empty := result(id, text(""))
		return result(id, text(strings.Repeat("x", size-len(empty))))
	}
	answers := make(map[string]func(http.ResponseWriter, *query))
	for _, n := range []int{-1, 0, 1} {
		answers[fmt.Sprintf("response %+d", n)] = func(w http.ResponseWriter, q *query) { sendJSON(w, 200, sized(q.id, limit+n)) }
		answers[fmt.Sprintf("event %+d", n)] = func(w http.ResponseWriter, q *query) { stream(w)(event(sized(q.id, limit+n))) }
		answers[fmt.Sprintf("error %+d", n)] = func(w http.ResponseWriter, q *query) {
			e := strings.Replace(anError, "ID", q.id, 1)
			sendJSON(w, 400, strings.Replace(e, "relayed", "relayed"+strings.Repeat("x", limit+n-len(e)), 1))
		}
	}
	answers["event without end"] = func(w http.ResponseWriter, q *query) {
		send := stream(w)
		send("data: {")
		endless(w, q)
	}
	answers["response without end"] = func(w http.ResponseWriter, q *query) {
		sendJSON(w, 200, "{")
		endless(w, q)
	}
	answers["long stream"] = func(w http.ResponseWriter, q *query) {
		send := stream(w)
		note := event(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":"` + strings.Repeat("x", limit/2) + `"}}`)
		for range 6 {
			send(note)
		}
		send(event(result(q.id, text("done"))))
	}
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		s := newSite(t, http2, answers)
		r := s.remote()
		r.Response = limit
		k := bridged(t, Config{Upstream: r}).open()
		for tool := range answers {
			t.Run(name+"/"+tool, func(t *testing.T) {
				k.t = t
				k.call(tool, `{}`)
				want := `"result"`
				switch {
				case tool == "error +1":
					want = `"data":{"cause":"http_status","status":400}`
				case strings.HasPrefix(tool, "error"):
					want = `"message":"relayedx`
				case strings.HasSuffix(tool, "+1"), strings.HasSuffix(tool, "without end"):
					want = `"data":{"cause":"response_too_large"}`
				}
				if got := k.receive(); !strings.Contains(got, want) {
					t.Errorf("got %.200q, want it to hold %q", got, want)
				}
				k.wantNext()
			})
		}
		k.t = t
		k.leaveSite()
	}
}

// endless writes until the client goes.
func endless(w http.ResponseWriter, q *query) {
	piece := `"` + strings.Repeat("x", 10_000) + `":1,`
	for q.Context().Err() == nil {
		if _, err := io.WriteString(w, piece); err != nil {
			return
		}
	}
}

// The limit that holds if nothing else is said.
//
// req: U04
func TestU04DefaultLimit(t *testing.T) {
	const limit = 64 << 20
	padding := strings.Repeat("x", limit)
	answers := make(map[string]func(http.ResponseWriter, *query))
	for _, n := range []int{0, 1} {
		answers[fmt.Sprintf("%+d", n)] = func(w http.ResponseWriter, q *query) {
			sendJSON(w, 200, result(q.id, text(padding[:limit+n-len(result(q.id, text("")))])))
		}
		answers[fmt.Sprintf("event %+d", n)] = func(w http.ResponseWriter, q *query) {
			stream(w)(event(result(q.id, text(padding[:limit+n-len(result(q.id, text("")))]))))
		}
	}
	s := newSite(t, false, answers)
	k := bridged(t, Config{Upstream: s.remote()}).open()
	for tool := range answers {
		k.call(tool, `{}`)
		got := k.receive()
		if tooLong := strings.HasSuffix(tool, "+1"); tooLong != strings.Contains(got, `"cause":"response_too_large"`) || tooLong == strings.Contains(got, `"result"`) {
			t.Errorf("%s: got %d bytes: %.200q", tool, len(got), got)
		}
		k.wantNext()
	}
	k.leaveSite()
}

// Events are read in every form that the format allows, however they are cut, and so are
// messages on several lines; what reaches the client is one line each.
//
// req: U09
func TestU09EventsOfEveryForm(t *testing.T) {
	forms := map[string]string{
		"line feeds":         "data: MESSAGE\n\n",
		"carriage returns":   "data: MESSAGE\r\r",
		"both":               "data: MESSAGE\r\n\r\n",
		"a mixture":          "data: MESSAGE\r\n\n",
		"byte order mark":    "\uFEFFdata: MESSAGE\n\n",
		"no space":           "data:MESSAGE\n\n",
		"comments":           ": one\n:two\n\n:\ndata: MESSAGE\n: three\n\n",
		"other fields":       "retry: 10\nid: 7\nevent: message\nwhatever: x\ndata: MESSAGE\n\n",
		"empty data":         "data\n\ndata:\n\ndata: \n\ndata: MESSAGE\n\n",
		"data on many lines": "data: " + strings.ReplaceAll(`{"jsonrpc":"2.0",|"id":ID,|"result":{"resultType":"complete",|"content":[{"type":"text","text":"done"}]}}`, "|", "\ndata:") + "\n\n",
		"line separators":    "data: " + strings.Replace(`{"jsonrpc":"2.0","id":ID,"result":{"resultType":"complete","content":[{"type":"text","text":"done SEP"}]}}`, "SEP", "\u2028\u0085", 1) + "\n\n",
	}
	answers := make(map[string]func(http.ResponseWriter, *query))
	fill := func(form string, q *query) string {
		return strings.ReplaceAll(strings.ReplaceAll(form, "MESSAGE", result(q.id, text("done"))), "ID", q.id)
	}
	for name, form := range forms {
		answers[name] = typed("text/event-stream", "")
		answers[name] = func(w http.ResponseWriter, q *query) { stream(w)(fill(form, q)) }
		answers[name+", byte by byte"] = func(w http.ResponseWriter, q *query) {
			send := stream(w)
			for _, b := range []byte(fill(form, q)) {
				send(string([]byte{b}))
			}
		}
	}
	answers["message on many lines"] = func(w http.ResponseWriter, q *query) {
		sendJSON(w, 200, "\uFEFF\r\n"+strings.ReplaceAll(result(q.id, text("done")), ",", ",\r\n\t")+"\r\n")
	}
	answers["media type with a parameter"] = func(w http.ResponseWriter, q *query) {
		typed("Application/JSON ; charset=UTF-8", result(q.id, text("done")))(w, q)
	}
	answers["stream with a parameter"] = func(w http.ResponseWriter, q *query) {
		typed("text/Event-Stream;charset=utf-8", event(result(q.id, text("done"))))(w, q)
	}
	s := newSite(t, false, answers)
	k := bridged(t, Config{Upstream: s.remote()}).open()
	for tool := range answers {
		t.Run(tool, func(t *testing.T) {
			k.t = t
			k.call(tool, `{}`)
			if got := k.receive(); !strings.Contains(got, `"result"`) || !strings.Contains(got, "done") || strings.ContainsAny(got, "\r") {
				t.Errorf("got %.300q, want one line with a result", got)
			}
			k.wantNext()
		})
	}
	k.t = t
	k.leaveSite()
}

// An answer can be cut anywhere.
//
// req: U09
func TestU09EventSplitAtEveryByte(t *testing.T) {
	var at atomic.Int32
	s := newSite(t, false, map[string]func(http.ResponseWriter, *query){
		"split": func(w http.ResponseWriter, q *query) {
			send := stream(w)
			whole := ": c\r\n\r\nid: 1\r\ndata: " + strings.Replace(result(q.id, text("d\u00F6ne")), ",", ",\r\ndata: ", 1) + "\r\n\r\n"
			n := min(int(at.Load()), len(whole))
			send(whole[:n])
			send(whole[n:])
		},
	})
	k := bridged(t, Config{Upstream: s.remote()}).open()
	for n := range 170 {
		at.Store(int32(n))
		k.call("split", `{}`)
		if got := k.receive(); !strings.Contains(got, "d\u00F6ne") {
			t.Fatalf("split at %d: %.300q", n, got)
		}
	}
	k.leaveSite()
}

// Many events in one write all arrive, in their order, in front of the answer.
//
// req: U09
func TestU09TenThousandEventsInOneWrite(t *testing.T) {
	const events = 10_000
	s := newSite(t, false, map[string]func(http.ResponseWriter, *query){
		"many": func(w http.ResponseWriter, q *query) {
			var b strings.Builder
			for i := range events {
				fmt.Fprintf(&b, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":%d}}\n\n", q.id, i+1)
			}
			stream(w)(b.String() + event(result(q.id, text("done"))))
		},
	})
	k := bridged(t, Config{Upstream: s.remote()}).open()
	k.send(`{"jsonrpc":"2.0","id":"m","method":"tools/call","params":{"name":"many","_meta":{"progressToken":"p"}}}`)
	last := 0
	for {
		got := k.receive()
		if strings.Contains(got, `"id":"m"`) {
			break
		}
		var now int
		if _, err := fmt.Sscanf(got[strings.Index(got, `"progress":`):], `"progress":%d`, &now); err != nil || now <= last {
			t.Fatalf("after progress %d: %q", last, got)
		}
		last = now
	}
	if last != events { // the rate is limited, and the last one is kept
		t.Errorf("last progress %d, want %d", last, events)
	}
	k.wantNext()
	k.leaveSite()
}
