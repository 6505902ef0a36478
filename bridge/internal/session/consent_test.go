package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/trestle-mcp/trestle/bridge/internal/diag"
	"github.com/trestle-mcp/trestle/mcpwire"
)

const (
	signInPage = "https://auth.example/authorize?state=marker"
	signInID   = "e-AAAAAAAAAAAAAAAAAAAAAA"
	askedLine  = `{"jsonrpc":"2.0","id":"b-%d","method":"elicitation/create","params":{"mode":"url","message":"mcp.example wants you to sign in. Open the page to go on.","url":"` +
		signInPage + `","elicitationId":"` + signInID + `"}}`
	takenBackLine = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b-%d","reason":"The sign-in that needed this has ended."}}`
	completeLine  = `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"` + signInID + `"}}`
)

// newAsker returns a rig whose log tells everything.
func newAsker(t *testing.T, change func(c *Config)) *rig {
	r := newRig(t, func(c *Config) {
		c.Wire.Rand = zeros{}
		if change != nil {
			change(c)
		}
	})
	r.Session.Log = slog.New(diag.NewHandler(r.log, slog.LevelDebug))
	r.Session.events = diag.NewEvents(r.Session.Log)
	return r
}

// openAsker opens the session of a client that opens pages.
func (r *rig) openAsker() *rig {
	r.openWith(`{"elicitation":{"url":{}}}`, `{"tools":{}}`).initialized()
	r.server.lines()
	return r
}

// puts puts a question, which the returned func takes back, and returns where the result
// will be.
func (r *rig) puts() (result <-chan error, cancel func()) {
	ctx, stop := context.WithCancel(context.Background())
	c := make(chan error, 1)
	go func() {
		c <- r.Ask(ctx, mcpwire.Question{URL: signInPage, Host: "mcp.example"})
		stop()
	}()
	synctest.Wait()
	return c, func() {
		stop()
		synctest.Wait()
	}
}

// wantPut wants the result of a question to be there.
func (r *rig) wantPut(result <-chan error, want error) {
	r.t.Helper()
	synctest.Wait()
	select {
	case got := <-result:
		if !errors.Is(got, want) {
			r.t.Errorf("Ask = %v, want %v", got, want)
		}
	default:
		r.t.Error("Ask has not returned")
	}
}

func (r *rig) signedIn() {
	e := r.NewEntrant()
	e.SignedIn()
	e.Flush(false)
}

func (r *rig) wantClient(want ...string) {
	r.t.Helper()
	synctest.Wait()
	wantLines(r.t, "the client", r.client.lines(), strings.Join(want, "\n"))
}

// The answer of the client ends the wait for it, and nothing of the page is in the log.
//
// req: S05
func TestT134ThroughTheDoor(t *testing.T) {
	for _, tt := range []struct {
		name, answer string
		want         error
		complete     bool
	}{
		{"accept", `"result":{"action":"accept"}`, nil, true},
		{"decline", `"result":{"action":"decline"}`, ErrDeclined, false},
		{"cancel", `"result":{"action":"cancel"}`, ErrDeclined, false},
		{"an error", `"error":{"code":-32603,"message":"x"}`, ErrNotAsked, false},
		{"no answer", `"result":{}`, ErrNotAsked, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newAsker(t, nil).openAsker()
				result, _ := r.puts()
				r.wantClient(fmt.Sprintf(askedLine, 1))
				r.client.send(`{"jsonrpc":"2.0","id":"b-1",%s}`, tt.answer)
				r.wantPut(result, tt.want)
				r.Over()
				if tt.complete {
					r.wantClient(completeLine)
				}
				r.Over()
				r.wantClient("")
				r.leave()
				if got := r.log.String(); strings.Contains(got, "marker") || strings.Contains(got, "auth.example") {
					t.Errorf("the log holds the page: %s", got)
				}
			})
		})
	}
}

// A question that nobody needs any more is taken back: out of the lane, or by a
// cancellation. The next one has another id.
//
// req: S05
func TestT134TakenBack(t *testing.T) {
	t.Run("after it was written", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := newAsker(t, nil).openAsker()
			result, cancel := r.puts()
			r.wantClient(fmt.Sprintf(askedLine, 1))
			cancel()
			r.wantPut(result, context.Canceled)
			r.wantClient(fmt.Sprintf(takenBackLine, 1))
			if n := len(r.consents.waiting); n != 0 {
				t.Errorf("%d questions are kept, want none", n)
			}
			r.client.send(`{"jsonrpc":"2.0","id":"b-1","result":{"action":"accept"}}`)
			r.wantClient("")
			r.Over()
			r.wantClient(completeLine)
			result, _ = r.puts()
			r.wantClient(fmt.Sprintf(askedLine, 2))
			r.client.send(`{"jsonrpc":"2.0","id":"b-2","result":{"action":"accept"}}`)
			r.wantPut(result, nil)
			r.leave()
		})
	})
	t.Run("before it was written", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := newAsker(t, nil).openAsker()
			r.client.set(true, false)
			r.client.send(`{"jsonrpc":"2.0","id":7,"method":"ping"}`) // is being written
			result, cancel := r.puts()
			cancel()
			r.wantPut(result, context.Canceled)
			r.client.set(false, false)
			synctest.Wait()
			r.wantClient(`{"jsonrpc":"2.0","id":7,"result":{}}`)
			r.leave()
		})
	})
	t.Run("before it was asked", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := newAsker(t, nil).openAsker()
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			if err := r.Ask(ctx, mcpwire.Question{URL: signInPage}); err != context.Canceled {
				t.Errorf("Ask = %v, want %v", err, context.Canceled)
			}
			r.wantClient("")
			r.leave()
		})
	})
}

// Two who ask get their own answers.
//
// req: S05
func TestT134TwoQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newAsker(t, nil).openAsker()
		first, _ := r.puts()
		second, _ := r.puts()
		r.wantClient(fmt.Sprintf(askedLine, 1), fmt.Sprintf(askedLine, 2))
		r.client.send(`{"jsonrpc":"2.0","id":"b-2","result":{"action":"decline"}}`)
		r.wantPut(second, ErrDeclined)
		r.client.send(`{"jsonrpc":"2.0","id":"b-1","result":{"action":"accept"}}`)
		r.wantPut(first, nil)
		r.leave()
	})
}

// Whoever waits for the client is told that nobody will answer any more.
//
// req: S05
func TestT134WaitEndsWithTheSession(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(r *rig, defect chan struct{})
		want error // of Run
	}{
		{"the client goes", func(r *rig, _ chan struct{}) { r.client.to.Close() }, nil},
		{"the session is stopped", func(r *rig, _ chan struct{}) { r.cancel() }, nil},
		{"the server is lost", func(r *rig, _ chan struct{}) { r.server.to.Close() }, ErrLost},
		{"a defect", func(_ *rig, defect chan struct{}) { close(defect) }, ErrDefect},
		{"a defect of the protocol state", func(r *rig, defect chan struct{}) {
			r.mu.Lock()
			r.shut = true
			r.mu.Unlock()
			close(defect)
		}, ErrDefect},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				defect := make(chan struct{})
				r := newAsker(t, func(c *Config) { c.Defect = defect }).openAsker()
				result, _ := r.puts()
				r.client.lines()
				tt.end(r, defect)
				r.ended(tt.want)
				r.wantPut(result, ErrGone)
				if !r.shut {
					r.wantClient(fmt.Sprintf(takenBackLine, 1))
				}
				r.Over()
				r.signedIn()
				if err := r.Ask(context.Background(), mcpwire.Question{URL: signInPage}); err != ErrNotAsked {
					t.Errorf("Ask = %v, want %v", err, ErrNotAsked)
				}
				r.wantClient("")
			})
		})
	}
}

// The end of the handshake is told once, and whether the client can be asked. Before it,
// and where it cannot, nothing is.
//
// req: S05
func TestT134Initialized(t *testing.T) {
	for _, tt := range []struct {
		name, capabilities string
		want               bool
	}{
		{"a client that opens pages", `{"elicitation":{"url":{}}}`, true},
		{"one that shows forms", `{"elicitation":{"form":{}}}`, false},
		{"one that shows nothing", `{}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var told []bool
				r := newAsker(t, func(c *Config) { c.Initialized = func(canAsk bool) { told = append(told, canAsk) } })
				r.openWith(tt.capabilities, `{"tools":{}}`)
				if result, _ := r.puts(); len(told) > 0 {
					t.Errorf("told %v before the handshake has ended", told)
				} else {
					r.wantPut(result, ErrNotAsked)
				}
				r.initialized().initialized()
				if len(told) != 1 || told[0] != tt.want {
					t.Errorf("told %v, want %t once", told, tt.want)
				}
				result, cancel := r.puts()
				if got := r.client.lines(); strings.Contains(got, signInPage) != tt.want {
					t.Errorf("the client got %q", got)
				}
				if cancel(); tt.want {
					r.wantPut(result, context.Canceled)
				} else {
					r.wantPut(result, ErrNotAsked)
				}
				r.leave()
			})
		})
	}
}

// A stream of notifications that the server has refused is opened again by a sign-in.
//
// req: N03
func TestN03SignedIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newAsker(t, nil).openWith(`{}`, `{"tools":{"listChanged":true}}`).initialized()
		wantIn(t, r.server.lines(), `"id":2,"method":"subscriptions/listen"`)
		r.server.send(`{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"x"}}`)
		r.quiet("after the refusal")
		r.signedIn()
		synctest.Wait()
		wantIn(t, r.server.lines(), `"id":3,"method":"subscriptions/listen"`)
		r.signedIn()
		r.quiet("after one more")
		r.leave()
	})
}
