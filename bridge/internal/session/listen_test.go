package session

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

const (
	listServer = `{"tools":{"listChanged":true},"resources":{"subscribe":true}}`
	toolsOnly  = `{"toolsListChanged":true}`
	toolsAndA  = `{"toolsListChanged":true,"resourceSubscriptions":["u:a"]}`
	changed    = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
)

// listened is the request for a stream, as it begins.
func listened(id int, filter string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"notifications":%s…`, id, filter)
}

func (r *rig) acknowledge(id int, filter string) {
	r.server.send(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%d},"notifications":%s}}`, id, filter)
}

// ends ends a stream.
func (r *rig) ends(id int) {
	r.server.send(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":%[1]d}}}`, id)
}

func (r *rig) subscribe() {
	r.client.send(`{"jsonrpc":"2.0","id":7,"method":"resources/subscribe","params":{"uri":"u:a"}}`)
}

func takenBack(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
}

// Nothing happens just before a limit of the stream of notifications; at the limit the
// effect is on the wires.
//
// req: N02, N03
func TestLimitsOfTheStream(t *testing.T) {
	for _, tt := range []struct {
		name           string
		begin          func(r *rig)
		limit          time.Duration
		client, server string
	}{
		{"an acknowledgement", func(r *rig) {}, 30 * time.Second, "", takenBack(2)},
		{"an acknowledgement that a subscription waits for", func(r *rig) {
			r.acknowledge(2, toolsOnly)
			r.subscribe()
			r.ends(2)
		}, 30 * time.Second, timedOut("7"), takenBack(3)},
		{"the end of a stream that is replaced", func(r *rig) {
			r.acknowledge(2, toolsOnly)
			r.subscribe()
		}, 250 * time.Millisecond, "", listened(3, toolsAndA)},
		{"a lost stream", func(r *rig) {
			r.acknowledge(2, toolsOnly)
			r.ends(2)
		}, 500 * time.Millisecond, "", listened(3, toolsOnly)},
		{"a silent stream, of which a subscription waits for the end", func(r *rig) {
			time.Sleep(30 * time.Second)
			r.subscribe()
		}, 250 * time.Millisecond, "", listened(3, toolsAndA)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil).openWith(`{}`, listServer).initialized()
				wantLines(t, "the server", r.server.lines(), listened(2, toolsOnly))
				tt.begin(r)
				r.client.lines()
				r.server.lines()
				r.after(tt.limit, tt.client, tt.server)
				r.leave()
			})
		})
	}
}

// The wait for the next stream doubles with each loss, and starts again after a stream
// that has lived for ten seconds, not a moment less.
//
// req: N03, N06
func TestT165WaitsOfASession(t *testing.T) {
	const s = time.Second
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil).openWith(`{}`, listServer).initialized()
		wantLines(t, "the server", r.server.lines(), listened(2, toolsOnly))
		for n, stream := range []struct{ lives, waits time.Duration }{
			{0, s / 2}, {0, s}, {s, 2 * s}, {9 * s, 4 * s}, {10*s - 1, 8 * s}, {0, 16 * s}, {0, 30 * s}, {0, 30 * s},
			{10 * s, s / 2}, {10*s - 1, s}, {time.Hour, s / 2},
		} {
			id := n + 2
			r.acknowledge(id, toolsOnly)
			want := changed // after a loss, the client is told
			if n == 0 {
				want = ""
			}
			wantLines(t, "the client", r.client.lines(), want)
			time.Sleep(stream.lives)
			r.ends(id)
			r.after(stream.waits, "", listened(id+1, toolsOnly))
		}
		r.leave()
	})
}

// A stream whose acknowledgement does not come is a loss, and those count too.
//
// req: N03
func TestT164WaitsOfASession(t *testing.T) {
	const s = time.Second
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil).openWith(`{}`, listServer).initialized()
		r.server.lines()
		for n, wait := range []time.Duration{s / 2, s, 2 * s, 4 * s, 8 * s, 16 * s, 30 * s, 30 * s} {
			id := n + 2
			r.after(30*s, "", takenBack(id))
			r.after(wait, "", listened(id+1, toolsOnly))
		}
		r.leave()
	})
}

// A stream that was granted nothing, or is refused for good, is not asked for again,
// however long it takes; a change of the client opens it at once.
//
// req: N03, N06
func TestT164StreamThatIsNotOpenedAgain(t *testing.T) {
	for name, end := range map[string]func(r *rig){
		"granted nothing": func(r *rig) {
			r.acknowledge(2, `{}`)
			r.ends(2)
		},
		"granted nothing, and cancelled": func(r *rig) {
			r.acknowledge(2, `{}`)
			r.server.send("%s", takenBack(2))
		},
		"refused": func(r *rig) {
			r.server.send(`{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"x"}}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil).openWith(`{}`, listServer).initialized()
				r.server.lines()
				end(r)
				time.Sleep(1000 * time.Hour)
				r.quiet("after the stream")
				r.subscribe()
				wantLines(t, "the server", r.server.lines(), listened(3, toolsAndA))
				r.leave()
			})
		})
	}
}
