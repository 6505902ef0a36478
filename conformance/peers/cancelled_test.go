package peers

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// checkCancelled wants each request that the client has cancelled to be cancelled at
// the server, and to have no answer on the front wire.
func checkCancelled(t *testing.T, s run.Session, some bool) {
	t.Helper()
	front, upstream := cancellations(t, s.Record, run.Front), cancellations(t, s.Record, s.Upstream())
	if len(front.cancelled) != len(upstream.cancelled) || some != (len(front.cancelled) > 0) {
		t.Errorf("the client has cancelled %v, the bridge %v", front.cancelled, upstream.cancelled)
	}
	for _, id := range front.cancelled {
		if slices.Contains(front.answered, id) {
			t.Errorf("the request %s was cancelled, and has an answer", id)
		}
	}
}

// outcomes are raw ids of requests to a server. The bridge's own streams of
// notifications, which it ends by a cancellation, are not among them.
type outcomes struct{ cancelled, answered []string }

// A request over HTTP is cancelled by the end of its exchange, and over stdio by a
// message. What is open when the last request comes is not cancelled by the end of all.
func cancellations(t *testing.T, record string, w run.Wire) outcomes {
	t.Helper()
	var o outcomes
	streams := map[string]bool{}
	open := map[int]string{} // over HTTP, where each exchange has one request
	records := recordOf(t, record, w)
	last := 0
	for i, rec := range records {
		if rec.Dir == wire.ToServer && !rec.End {
			last = i
		}
	}
	for i, rec := range records {
		var f struct {
			ID     json.RawMessage
			Method string
			Params struct{ RequestID json.RawMessage }
		}
		if rec.End {
			if id := open[rec.PID]; w.HTTP && rec.Dir == wire.ToServer && i < last && id != "" && !streams[id] {
				o.cancelled = append(o.cancelled, id)
			}
			continue
		}
		if json.Unmarshal(rec.Raw(), &f) != nil {
			continue
		}
		if rec.Dir == wire.ToServer {
			open[rec.PID] = string(f.ID)
		}
		switch {
		case f.Method == "subscriptions/listen":
			streams[string(f.ID)] = true
		case streams[string(f.Params.RequestID)]:
		case rec.Dir == wire.ToServer && f.Method == "notifications/cancelled":
			o.cancelled = append(o.cancelled, string(f.Params.RequestID))
		case rec.Dir == wire.ToClient && f.Method == "":
			o.answered = append(o.answered, string(f.ID))
			delete(open, rec.PID)
		}
	}
	return o
}
