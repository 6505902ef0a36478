package session

import (
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// Every timer is told of when its time has come, also one of several.
//
// req: U03
func TestEveryTimerFires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.lanes()()
		epoch := time.Now()
		timer := func(n uint32, seconds int) mcpwire.Timer {
			return mcpwire.Timer{ID: mcpwire.TimerID{N: n}, At: epoch.Add(time.Duration(seconds) * time.Second)}
		}
		r.timers.set([]mcpwire.Timer{timer(1, 1), timer(2, 3), timer(3, 1), timer(4, 2)}, nil)
		done := start(r.runTimers)
		for seconds, want := range []int{4, 2, 1, 0} {
			time.Sleep(time.Until(epoch.Add(time.Duration(seconds) * time.Second)))
			synctest.Wait()
			r.mu.Lock()
			got := len(r.timers.list)
			r.mu.Unlock()
			if got != want {
				t.Errorf("%d timers are left after %d s, want %d", got, seconds, want)
			}
		}
		r.over.send()
		<-done
	})
}

// A message sets the count of lines that are none to zero.
//
// req: U14
func TestJunkIsCountedInARow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil).open()
		junk := strings.Repeat("junk\n", 9)
		for range 3 {
			r.server.send("%s%s", junk, `{"jsonrpc":"2.0","method":"notifications/message","params":{}}`)
		}
		r.call(1)
		r.server.send("%sjunk", junk)
		wantIn(t, r.client.lines(), `"id":1,`, `"cause":"invalid_upstream_message"`)
		r.ended(ErrLost)
		wantIn(t, r.log.String(), "the server writes no messages and is given up")
		if strings.Contains(r.log.String(), "before the session") {
			t.Errorf("the log says that a server has ended which was given up:\n%s", r.log)
		}
	})
}

// A server that does not read may still answer, for one grace.
//
// req: U01
func TestAnswersOfAServerThatClosedItsInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil).open()
		r.call(1)
		r.server.set(false, true)
		r.call(2)
		time.Sleep(testGrace - 1)
		r.answer(2, "late")
		wantIn(t, r.client.lines(), `"text":"late"`)
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		wantIn(t, r.client.lines(), `"id":2,`, `"cause":"upstream_exited"`)
		r.ended(ErrLost)
		wantIn(t, r.log.String(), "the server has ended before the session")
	})
}

func TestForcedEndIsSaidToBeOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Exit = func() Exit { return Exit{Forced: true} } }).open()
		r.server.to.Close()
		r.ended(ErrLost)
		wantIn(t, r.log.String(), "the server has closed its input or output before the session, and was stopped")
	})
}

// A client that is slow at the end has one grace to read what the server has written,
// and nothing of it is torn then or later.
//
// req: P02
func TestSlowClientAtTheEndHasTheGrace(t *testing.T) {
	for _, tt := range []struct {
		name string
		late time.Duration
		all  bool
	}{
		{"within the grace", testGrace - 1, true},
		{"later", testGrace + lastWords - 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const calls = 60
				r := newRig(t, nil).open()
				r.server.left = true
				for i := range calls {
					r.call(i)
				}
				r.client.set(true, false)
				go r.writeLong(calls)
				synctest.Wait()
				r.client.to.Close()
				time.Sleep(tt.late)
				r.client.set(false, false)
				r.ended(nil)
				got := r.client.lines()
				if n := strings.Count(got, "\n"); (n == calls) != tt.all || !strings.HasSuffix(got, "}\n") {
					t.Errorf("%d answers of %d bytes, all %v", n, len(got), tt.all)
				}
			})
		})
	}
}

// writeLong writes that many answers, long ones, and ends the server's output.
func (r *rig) writeLong(answers int) {
	for i := range answers {
		io.WriteString(r.server.to, `{"jsonrpc":"2.0","id":`+strconv.Itoa(i+2)+`,"result":{"resultType":"complete",`+
			`"content":[{"type":"text","text":"`+strings.Repeat("x", 60_000)+`"}]}}`+"\n")
	}
	r.server.to.Close()
}

// A client that takes nothing holds the end up for a while only.
//
// req: P02
func TestClientThatTakesNothingAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil).open()
		r.client.set(true, false)
		r.call(1)
		r.answer(2, strings.Repeat("x", 2<<20))
		begun := time.Now()
		r.cancel()
		r.ended(nil)
		if got, want := time.Since(begun), testGrace+lastWords; got > want {
			t.Errorf("ended after %v, want at most %v", got, want)
		}
		if !r.client.interrupted || !r.client.restored {
			t.Error("the client's input was not interrupted and restored")
		}
	})
}

// What a slow client has not read yet is not lost with the server.
//
// req: U01
func TestAnswersBeforeTheEndReachASlowClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const calls = 60
		r := newRig(t, nil).open()
		r.client.set(true, false)
		for i := range calls {
			r.call(i)
		}
		go r.writeLong(calls)
		time.Sleep(59 * time.Minute) // less than a call may take
		r.client.set(false, false)
		r.ended(ErrLost)
		if got := strings.Count(r.client.lines(), `"text":"xxx`); got != calls {
			t.Errorf("%d answers, want %d", got, calls)
		}
	})
}

// What ends a whole process tree reaches the server first as often as the bridge, which
// is no fault of the server.
//
// req: P19
func TestEndOfTheServerAndOfTheSession(t *testing.T) {
	for _, tt := range []struct {
		name  string
		after time.Duration // the loss of the server
		want  error
		line  string
	}{
		{"at the same time", 0, nil, "INFO the server has ended"},
		{"just together", together - 1, nil, "INFO the server has ended"},
		{"one after the other", together, ErrLost, "ERROR the server has ended before the session"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil).open()
				r.server.to.Close()
				time.Sleep(tt.after)
				synctest.Wait()
				r.client.to.Close()
				r.ended(tt.want)
				wantIn(t, r.log.String(), tt.line)
			})
		})
	}
	t.Run("the session first", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, func(c *Config) {
				c.Exit = func() Exit { // by then the end of the server's output was read
					synctest.Wait()
					return Exit{}
				}
			}).open()
			r.leave()
			if got := r.log.String(); strings.Contains(got, "the server has ended") {
				t.Errorf("got %q, want the end of the server to be routine", got)
			}
		})
	})
}
