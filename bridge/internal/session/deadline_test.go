package session

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// requests is every request of the client that goes to the server, with the time
// that an answer may take.
var requests = []struct {
	method, params string
	limit          time.Duration
}{
	{"tools/list", `{}`, 120 * time.Second},
	{"prompts/list", `{}`, 120 * time.Second},
	{"resources/list", `{}`, 120 * time.Second},
	{"resources/templates/list", `{}`, 120 * time.Second},
	{"completion/complete", `{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}}`, 120 * time.Second},
	{"prompts/get", `{"name":"p"}`, 120 * time.Second},
	{"resources/read", `{"uri":"file:///a"}`, 120 * time.Second},
	{"tools/call", `{"name":"t","_meta":{"progressToken":"k"}}`, time.Hour},
}

// A request that the server does not answer gets an error when its time is over, and
// not before, whatever progress came. The server is told, and its late answer is
// dropped.
//
// req: U03
func TestU03UnansweredRequests(t *testing.T) {
	for _, tt := range requests {
		t.Run(tt.method, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil).open()
				r.client.send(`{"jsonrpc":"2.0","id":"q","method":%q,"params":%s}`, tt.method, tt.params)
				wantIn(t, r.server.lines(), fmt.Sprintf(`"id":2,"method":%q`, tt.method))
				time.Sleep(tt.limit / 2)
				r.server.send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}`)
				r.client.lines()
				time.Sleep(tt.limit - tt.limit/2 - 1)
				r.quiet("just before the limit")

				time.Sleep(time.Nanosecond)
				synctest.Wait()
				wantIs(t, "the client", r.client.lines(), timedOut("q"))
				wantIs(t, "the server", r.server.lines(), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
				r.answer(2, "late")
				time.Sleep(24 * time.Hour)
				r.quiet("after the limit")
				r.leave()
			})
		})
	}
}

// An answer in the last moment is one, and leaves no time limit behind.
//
// req: U03
func TestU03AnswersInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil).open()
		r.call(1)
		r.server.lines()
		time.Sleep(time.Hour - 1)
		r.answer(2, "in time")
		wantIn(t, r.client.lines(), `"id":1`, `"text":"in time"`)
		time.Sleep(24 * time.Hour)
		r.quiet("after an answer")
		r.leave()
	})
}

// Each request has a time of its own, whatever becomes of others.
//
// req: U03
func TestU03LimitsAreOfOneRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil).open()
		for id := range 3 {
			r.client.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, id)
			time.Sleep(10 * time.Second)
		}
		r.client.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		for _, next := range []struct {
			id   string
			wait time.Duration
		}{{"0", 90 * time.Second}, {"2", 20 * time.Second}} {
			r.server.lines()
			time.Sleep(next.wait - 1)
			r.quiet("just before the limit of " + next.id)
			time.Sleep(time.Nanosecond)
			synctest.Wait()
			wantIs(t, "the client", r.client.lines(), timedOut(next.id))
		}
		r.leave()
	})
}

// An initialize that the server does not answer has a limit too, and the next one
// asks again.
//
// req: U03
func TestU03UnansweredDiscovery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil).run()
		for id := 1; id < 4; id += 2 {
			wantIn(t, r.server.lines(), fmt.Sprintf(`"id":%d,"method":"server/discover"`, id))
			time.Sleep(10 * time.Second) // after which the server may be one that does not know the method
			synctest.Wait()
			wantIn(t, r.server.lines(), fmt.Sprintf(`"id":%d,"method":"initialize"`, id+1))
			time.Sleep(50*time.Second - 1)
			r.quiet("just before the limit")
			time.Sleep(time.Nanosecond)
			synctest.Wait()
			wantIs(t, "the client", r.client.lines(), timedOut("i"))
			wantIs(t, "the server", r.server.lines(), fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
			r.client.send(initialize)
		}
		r.leave()
	})
}

// Every limit is the one of the configuration.
//
// req: U03
func TestU03LimitsCanBeSet(t *testing.T) {
	limits := mcpwire.Limits{Discover: 2 * time.Second, List: 3 * time.Second, Read: 5 * time.Second, Call: 7 * time.Second}
	for _, tt := range []struct {
		method, params string
		limit          time.Duration
	}{
		{"", "", limits.Discover},
		{"tools/list", `{}`, limits.List},
		{"resources/read", `{"uri":"file:///a"}`, limits.Read},
		{"tools/call", `{"name":"t"}`, limits.Call},
	} {
		t.Run(tt.method, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, func(c *Config) { c.Wire.Limits = limits })
				id := "i"
				if tt.method == "" {
					r.run()
				} else {
					id = "q"
					r.open().client.send(`{"jsonrpc":"2.0","id":"q","method":%q,"params":%s}`, tt.method, tt.params)
				}
				r.server.lines()
				time.Sleep(tt.limit - 1)
				r.quiet("just before the limit")
				time.Sleep(time.Nanosecond)
				synctest.Wait()
				wantIs(t, "the client", r.client.lines(), timedOut(id))
				r.leave()
			})
		})
	}
}

// Once the client's input has ended, answers are awaited for the time to drain, then
// the server is told and its input ends. What comes later still counts until the
// grace is over.
//
// req: P02
func TestT21LimitsOfTheEnd(t *testing.T) {
	const drain = 250 * time.Millisecond
	for _, tt := range []struct {
		name     string
		answer   time.Duration // after the end of the client's input
		answered bool
		took     time.Duration
	}{
		{"nothing is in flight", -1, true, 0},
		{"before the time to drain is over", drain - 1, true, drain - 1},
		{"after it, within the grace", drain + 1, true, testGrace},
		{"just within the grace", testGrace - 1, true, testGrace},
		{"never", time.Hour, false, testGrace},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				r.server.slow = tt.took == testGrace // it ends when it is made to
				r.open().call(1)
				if tt.answer < 0 {
					r.answer(2, "in time")
				}
				r.server.lines()
				begun := time.Now()
				r.client.to.Close()
				ended := make(chan time.Duration, 1)
				go func() {
					r.ended(nil)
					ended <- time.Since(begun)
				}()
				if tt.answer >= 0 && tt.answered {
					time.Sleep(tt.answer)
					r.answer(2, "in time")
				}
				if got := <-ended; got != tt.took {
					t.Errorf("ended after %v, want %v", got, tt.took)
				}
				if got := strings.Contains(r.client.lines(), `"text":"in time"`); got != tt.answered {
					t.Errorf("the answer came: %v, want %v", got, tt.answered)
				}
				if got, want := r.server.lines() != "", tt.answer >= drain; got != want {
					t.Errorf("the server was told: %v, want %v", got, want)
				}
			})
		})
	}
}

// Whatever hangs, a session ends in bounded time: a client that takes nothing, and a
// server that does not read, does not end and leaves its output open.
//
// req: P02
func TestP02LimitOfTheEnd(t *testing.T) {
	for name, end := range map[string]func(r *rig){
		"end of the input":   func(r *rig) { r.client.to.Close() },
		"end of the context": func(r *rig) { r.cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				r.server.hangs = true
				r.open()
				r.client.set(true, false)
				r.server.set(true, false)
				r.call(1)
				r.client.send(`{"jsonrpc":"2.0","id":"ping","method":"ping"}`)
				begun := time.Now()
				end(r)
				r.ended(nil)
				if got, want := time.Since(begun), 2*testGrace+2*time.Second; got > want {
					t.Errorf("ended after %v, want no more than %v", got, want)
				}
			})
		})
	}
}

// quiet wants nothing to be written to either side.
func (r *rig) quiet(when string) {
	r.t.Helper()
	synctest.Wait()
	if f, u := r.client.lines(), r.server.lines(); f != "" || u != "" {
		r.t.Errorf("%s: %q toward the client and %q toward the server, want nothing", when, f, u)
	}
}

// timedOut is the error of a request whose time is over.
func timedOut(id string) string {
	if id[0] > '9' {
		id = `"` + id + `"`
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32603,"message":"The server did not answer in time.","data":{"cause":"timeout"}}}`
}

// wantIs wants one line.
func wantIs(t *testing.T, who, got, want string) {
	t.Helper()
	if got != want+"\n" {
		t.Errorf("%s got\n%s\nwant\n%s", who, got, want)
	}
}
