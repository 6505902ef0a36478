package session

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
)

// Whatever does not take what it gets, and however many requests wait for an answer,
// all that the client sends is read: a request too many is refused at once, answers
// and bad lines pass by, a cancellation makes room, the end of the input ends.
//
// req: W01
func TestW01ReaderOfTheClientNeverWaits(t *testing.T) {
	for _, tt := range []struct {
		name           string
		client, server bool // takes nothing
	}{
		{"both read", false, false},
		{"the client reads nothing", true, false},
		{"the server reads nothing", false, true},
		{"nobody reads", true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const most = 256 // requests in flight
				r := newRig(t, nil).open()
				r.client.set(tt.client, false)
				r.server.set(tt.server, false)
				for id := range most {
					r.call(id) // returns when the line has been read
				}
				r.client.send(`{"jsonrpc":"2.0","id":"too many","method":"tools/list"}`)
				r.client.send(`{"jsonrpc":"2.0","id":"b-1","result":{"action":"accept"}}`)
				r.client.send(`{"jsonrpc":"2.0","id":"bad","method":"ping"`)
				r.client.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
				r.client.send(`{"jsonrpc":"2.0","id":"one more","method":"tools/list"}`)
				r.client.send(`{"jsonrpc":"2.0","id":"ping","method":"ping"}`)
				r.client.to.Close()
				synctest.Wait()
				r.client.set(false, false)
				r.server.set(false, false)
				r.ended(nil)
				wantOnly(t, r.client.lines(), `"too many"`, `"cause":"busy"`, `"bad"`, `"cause":"parse_error"`, `"ping"`, `"result":{}`)
				upstream := r.server.lines()
				if got, want := strings.Count(upstream, `"method":"tools/call"`), most; !tt.server && got != want {
					t.Errorf("%d calls toward the server, want %d", got, want)
				}
				if !tt.server {
					wantIn(t, upstream, `"requestId":9`, fmt.Sprintf(`"id":%d,"method":"tools/list"`, most+2))
				}
			})
		})
	}
}

// wantOnly wants a line for each pair of texts, in that order, and no other.
func wantOnly(t *testing.T, got string, pairs ...string) {
	t.Helper()
	lines := strings.SplitAfter(got, "\n")
	if len(lines)-1 != len(pairs)/2 {
		t.Fatalf("got %d lines %.600q, want %d", len(lines)-1, got, len(pairs)/2)
	}
	for i := range len(pairs) / 2 {
		wantIn(t, lines[i], pairs[2*i], pairs[2*i+1])
	}
}
