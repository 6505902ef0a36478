package session

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// A jump of the wall clock, as after a change of its time, moves no deadline: each has
// a reading of the clock that does not jump.
//
// req: U03
func TestDeadlinesAreNotOfTheWallClock(t *testing.T) {
	r := newRig(t, nil) // outside a bubble, where times have both readings
	defer r.lanes()()
	front := jsonrpc.NewReader(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",`+
		`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`+"\n"), &jsonrpc.ReaderOptions{Members: mcpwire.Members()})
	m, err := front.Read()
	if err != nil {
		t.Fatal(err)
	}
	var steps mcpwire.Steps
	r.enter(&steps, func(now time.Time, out *mcpwire.Steps) { r.wire.FromFront(now, m, out) })
	if len(r.timers.list) != 1 {
		t.Fatalf("%d deadlines, want that of server/discover", len(r.timers.list))
	}
	if at := r.timers.list[0].At; !strings.Contains(at.String(), " m=") {
		t.Errorf("the deadline %v is one of the wall clock alone", at)
	}
}

// After the machine was suspended, timers fire late. Then each deadline that has passed
// is kept once, and none that has not.
//
// req: U03
func TestTimersThatFireLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil).open()
		const calls = 3
		for id := range calls {
			r.call(id)
			time.Sleep(time.Minute)
		}
		r.server.lines()
		r.mu.Lock()
		r.timers.next.Reset(10 * time.Hour) // as if nobody ran until then
		r.mu.Unlock()
		time.Sleep(9 * time.Hour)
		if got := r.client.lines(); got != "" {
			t.Fatalf("the client got %q though no timer has fired", got)
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		answers, cancelled := r.client.lines(), r.server.lines()
		for id := range calls {
			if n := strings.Count(answers, fmt.Sprintf(`"id":%d,"error"`, id)); n != 1 {
				t.Errorf("request %d has %d answers, want 1: %s", id, n, answers)
			}
		}
		if n := strings.Count(cancelled, `"notifications/cancelled"`); n != calls {
			t.Errorf("%d cancellations, want %d: %s", n, calls, cancelled)
		}
		r.call(calls) // has its whole time before it
		time.Sleep(59 * time.Minute)
		if got := r.client.lines(); got != "" {
			t.Errorf("a call got %q before its time was over", got)
		}
		r.client.to.Close()
		r.ended(nil)
	})
}
