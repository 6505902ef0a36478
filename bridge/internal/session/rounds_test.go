package session

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const (
	// rootsQuestion is a question in a round, and all of the request toward the client
	// but its beginning.
	rootsQuestion = `{"method":"roots/list"}`
	rootsAsked    = `,"method":"roots/list"}`
	withdrawn     = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b-%d","reason":"The request that needed this has ended."}}`
	page          = `{"method":"elicitation/create","params":{"mode":"url","message":"Open","url":"https://a.example/x"}}`
)

// zeros is a source of random bytes.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// asks answers the request with this id by a round.
func (r *rig) asks(id int, members string) {
	r.server.send(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"input_required",%s}}`, id, members)
}

// questions is inputRequests with n questions for roots.
func questions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":%s`, i, rootsQuestion)
	}
	return `"inputRequests":{` + strings.TrimPrefix(b.String(), ",") + `}`
}

// rootsAnswered answers a question for roots.
func (r *rig) rootsAnswered(number int) {
	r.client.send(`{"jsonrpc":"2.0","id":"b-%d","result":{"roots":[]}}`, number)
}

// after wants nothing on either side until the time has come, and then these lines.
// They are whole, or begin a line if they end in an ellipsis.
func (r *rig) after(limit time.Duration, client, server string) {
	r.t.Helper()
	time.Sleep(limit - 1)
	r.quiet(fmt.Sprintf("just before %v", limit))
	time.Sleep(time.Nanosecond)
	synctest.Wait()
	wantLines(r.t, fmt.Sprintf("the client after %v", limit), r.client.lines(), client)
	wantLines(r.t, fmt.Sprintf("the server after %v", limit), r.server.lines(), server)
}

func wantLines(t *testing.T, who, got, want string) {
	t.Helper()
	got = strings.TrimSuffix(got, "\n")
	head, cut := strings.CutSuffix(want, "…")
	if got != want && !(cut && strings.HasPrefix(got, head) && !strings.Contains(got[len(head):], "\n")) {
		t.Errorf("%s: got\n%s\nwant\n%s", who, got, want)
	}
}

// endOf is the error of the request 7 of the client.
func endOf(text, cause string) string {
	code := -32603
	if cause == "not_initialized" {
		code = -32600
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"error":{"code":%d,"message":"%s","data":{"cause":"%s"}}}`, code, text, cause)
}

const (
	readRequest = `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"file:///a"}}`
	getRequest  = `{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"p"}}`
	callRequest = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t"}}`
	everyServer = `{"tools":{},"resources":{},"prompts":{}}`
)

// Nothing happens just before a limit of rounds; at the limit the effect is on the
// wires, and what comes later has none.
//
// req: I06, I13
func TestLimitsOfRounds(t *testing.T) {
	again := func(request string) func(r *rig) { // a request with one round behind it
		return func(r *rig) {
			r.initialized().client.send("%s", request)
			r.asks(2, questions(1))
			time.Sleep(59 * time.Minute) // of a limit that has nothing to do with the next one
			r.rootsAnswered(1)
		}
	}
	const cancelled = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`
	for _, tt := range []struct {
		name   string
		begin  func(r *rig)
		limit  time.Duration
		client string
		server string
		late   func(r *rig)
	}{
		{
			"the answers of a round", func(r *rig) {
				r.initialized().call(7)
				r.asks(2, questions(3))
				r.rootsAnswered(2)
			}, time.Hour,
			fmt.Sprintf(withdrawn+"\n"+withdrawn+"\n", 1, 3) + endOf("The input that the server asked for was not given in time.", "input_timeout"), "",
			func(r *rig) { r.rootsAnswered(1); r.rootsAnswered(3) },
		},
		{"a later round of resources/read", again(readRequest), time.Hour, timedOut("7"), cancelled, func(r *rig) { r.answer(3, "late") }},
		{"a later round of prompts/get", again(getRequest), time.Hour, timedOut("7"), cancelled, func(r *rig) { r.answer(3, "late") }},
		{"a later round of tools/call", again(callRequest), time.Hour, timedOut("7"), cancelled, func(r *rig) { r.asks(3, questions(1)) }},
		{
			"a client that is not initialized", func(r *rig) {
				r.call(7)
				r.asks(2, questions(2))
			}, 30 * time.Second,
			endOf("The session is not initialized.", "not_initialized"), "", func(r *rig) { r.initialized() },
		},
		{
			"a question over the burst", func(r *rig) {
				for id := range 3 {
					r.initialized().call(7 + id)
				}
				r.asks(2, questions(16))
				r.asks(3, questions(4))
				r.asks(4, questions(1))
				if n := strings.Count(r.client.lines(), rootsAsked); n != 20 {
					r.t.Errorf("%d questions at once, want 20", n)
				}
			}, 100 * time.Millisecond, `{"jsonrpc":"2.0","id":"b-21"` + rootsAsked, "", nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil).openWith(`{"roots":{}}`, everyServer)
				tt.begin(r)
				r.client.lines()
				r.server.lines()
				r.after(tt.limit, tt.client, tt.server)
				if tt.late != nil {
					tt.late(r)
					time.Sleep(24 * time.Hour)
					r.quiet("after the limit")
				}
				r.leave()
			})
		})
	}
}

// Questions go out ten a second, however many wait.
//
// req: I13
func TestI13RateOfASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil).openWith(`{"roots":{}}`, everyServer).initialized()
		const calls = 6
		for id := range calls {
			r.call(id)
			r.asks(id+2, questions(10))
		}
		r.server.lines()
		asked := strings.Count(r.client.lines(), rootsAsked) // the burst: two rounds
		if asked != 20 {
			t.Errorf("%d questions at once, want 20", asked)
		}
		for range calls - 2 {
			time.Sleep(time.Second - 1)
			r.quiet("before the rate allows a round")
			time.Sleep(time.Nanosecond)
			synctest.Wait()
			if n := strings.Count(r.client.lines(), rootsAsked); n != 10 {
				t.Errorf("%d questions after a second, want 10", n)
			}
		}
		time.Sleep(time.Minute)
		r.quiet("when everything was asked")
		r.leave()
	})
}

// A server that asks for nothing gets its request again after pauses that grow, until
// its rounds are used up.
//
// req: I12, I06
func TestT129PausesOfASession(t *testing.T) {
	for _, members := range []string{`"requestState":"s"`, `"inputRequests":{}`} {
		t.Run(members, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil).open().initialized()
				r.call(7)
				r.server.lines()
				for n, ms := range []time.Duration{250, 500, 1000, 2000, 4000, 5000, 5000, 5000, 5000, 5000} {
					r.asks(n+2, members)
					r.after(ms*time.Millisecond, "", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call"…`, n+3))
				}
				r.asks(12, members)
				wantIs(t, "the client", r.client.lines(), endOf("The server asked for input too often.", "rounds_exhausted"))
				time.Sleep(24 * time.Hour)
				r.quiet("after the last round")
				r.leave()
			})
		})
	}
}

// A client without forms is given time to finish in the browser, more with each time
// that the server asks for the same page.
//
// req: I08
func TestT125PausesOfASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Wire.Rand = zeros{} }).openWith(`{"elicitation":{"url":{}}}`, everyServer).initialized()
		r.call(7)
		r.asks(2, `"inputRequests":{"u":`+page+`}`)
		wantIn(t, r.client.lines(), `"id":"b-1","method":"elicitation/create"`)
		r.client.send(`{"jsonrpc":"2.0","id":"b-1","result":{"action":"accept"}}`)
		r.server.lines()
		for n, s := range []time.Duration{2, 4, 8, 16, 30, 30, 30, 30, 30} {
			r.asks(n+3, `"inputRequests":{"u":`+page+`}`)
			r.after(s*time.Second, "", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t","inputResponses":{"u":{"action":"accept"}}…`, n+4))
		}
		r.asks(12, `"inputRequests":{"u":`+page+`}`)
		wantIs(t, "the client", r.client.lines(), endOf("The server asked for input too often.", "rounds_exhausted"))
		r.leave()
	})
}

// A host that is not ASCII is shown in its ASCII form, and the log warns of it without
// a word of the URL.
//
// req: I14
func TestI14HostNotASCIIInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Wire.Rand = zeros{} }).openWith(`{"elicitation":{"url":{}}}`, everyServer).initialized()
		r.call(7)
		r.asks(2, `"inputRequests":{"u":{"method":"elicitation/create","params":{"mode":"url","message":"Open","url":"https://bücher.example/geheim"}}}`)
		wantIn(t, r.client.lines(), `"url":"https://xn--bcher-kva.example/geheim"`)
		const want = "mcp-bridge-vscode: WARN the server asks to open a URL whose host is not written in ASCII; the client is shown its ASCII form rule=I14 method=tools/call\n"
		if got := r.log.String(); !strings.Contains(got, want) || strings.Contains(got, "geheim") || strings.Contains(got, "xn--") {
			t.Errorf("the log is %q, want it to hold %q and nothing of the URL", got, want)
		}
		r.leave()
	})
}
