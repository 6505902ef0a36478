package mcpwire

import (
	"strconv"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// relay is the pair of a front and an upstream of 2026-07-28. Messages pass as they came,
// but for the ids of requests wherever they stand: each side sees its own (T5).
type relay struct{ core *core }

// frontRequest passes a request on. A server that speaks an older revision too would
// change to that with initialize, which is no method of this one (R1).
func (p *relay) frontRequest(now time.Time, m *jsonrpc.Message, out *Steps) pair {
	if c := p.core; string(c.name) == methodInitialize {
		c.refuse(out, CauseMethodNotFound)
	} else {
		c.relayRequest(now, m, out)
	}
	return p
}

// frontNotification passes a notification on. A cancellation ends its request here (T150).
func (p *relay) frontNotification(now time.Time, m *jsonrpc.Message, out *Steps) pair {
	if m.Is(m.Method, methodCancelled) {
		p.core.cancelledByFront(now, m, out)
	} else {
		out.ToUpstream = append(out.ToUpstream, Frame{Msg: m})
	}
	return p
}

// frontResponse drops a response: a server of 2026-07-28 asks by no request (T6).
func (p *relay) frontResponse(_ time.Time, _ *jsonrpc.Message, out *Steps) {
	out.log(Event{Kind: EventDropped, Rule: "T6"})
}

// upstreamRequest drops a request: a server of 2026-07-28 sends none (T7).
func (p *relay) upstreamRequest(_ time.Time, _ *jsonrpc.Message, out *Steps) {
	out.log(Event{Kind: EventDropped, Rule: "T7"})
}

// upstreamNotification passes a notification on. One that names a request which has ended
// has nobody to go to.
func (p *relay) upstreamNotification(now time.Time, _ Exchange, m *jsonrpc.Message, out *Steps) {
	var named jsonrpc.Span
	limit := p.core.options.Limits.Notification
	cancels := m.Is(m.Method, methodCancelled)
	switch {
	case m.Member(int(memMeta)).Value.Len() > limit, cancels && m.Len() > limit: // not to be looked through inside the lock (N04)
		out.log(Event{Kind: EventDropped, Rule: "N04"})
		return
	case cancels:
		var found [1]picked
		pick(m, found[:], "requestId")
		named = found[0].Value
	default:
		named = subscriptionID(m).Value
	}
	if named.IsZero() {
		out.ToFront = append(out.ToFront, Frame{Msg: m})
		return
	}
	s := p.core.table.ofUpstream(exchangeAt(m, named))
	if s == nil {
		out.log(Event{Kind: EventDropped, Rule: "T145"})
		return
	}
	out.ToFront = append(out.ToFront, out.renamed(m, 0, s.front, named))
	if cancels { // no answer follows (T168)
		p.core.done(now, s, "", out)
	}
}

// upstreamResponse is not called: what was passed on is answered by relayAnswer.
func (p *relay) upstreamResponse(now time.Time, s *slot, m *jsonrpc.Message, out *Steps) pair {
	p.core.relayAnswer(now, s, m, out)
	return p
}

// upstreamFailed is not called, as upstreamResponse.
func (p *relay) upstreamFailed(now time.Time, s *slot, f *Failure, out *Steps) pair {
	p.core.fail(now, s, f, out)
	return p
}

// shaped: nothing is shaped.
func (p *relay) shaped(time.Time, *slot, *Steps) {}

// expired: the upstream has no time limit of ours.
func (p *relay) expired(time.Time, *slot, *Steps) {}

// absent: 2026-07-28 lets an error have no id (T3).
func (p *relay) absent() absentID { return idOmitted }

// relayed are the methods of requests that are passed on, by name, so that the log can name
// them; one that is not here is passed on too.
var relayed = relayedMethods()

// otherRelayed is any other method that is passed on.
var otherRelayed = method{relayed: true}

func relayedMethods() map[string]*method {
	table := map[string]*method{
		methodDiscover: {name: methodDiscover, relayed: true},
		methodListen:   {name: methodListen, relayed: true, listens: true},
	}
	for name := range methods {
		table[name] = &method{name: name, relayed: true}
	}
	return table
}

// relayRequest passes the request that is being read on, under an id of ours.
func (c *core) relayRequest(now time.Time, m *jsonrpc.Message, out *Steps) {
	md := relayed[string(c.name)]
	if md == nil {
		md = &otherRelayed
	}
	if s := c.open(now, md, m.Len(), out); s != nil {
		var id [10]byte
		out.ToUpstream = append(out.ToUpstream, out.renamed(m, s.upstream, strconv.AppendUint(id[:0], uint64(s.upstream), 10), m.ID))
	}
}

// relayAnswer passes the response to the request of s back. It does so whatever the front
// has selected meanwhile.
func (c *core) relayAnswer(now time.Time, s *slot, m *jsonrpc.Message, out *Steps) {
	spans := []jsonrpc.Span{m.ID}
	if meta := m.Member(int(memMeta)).Value; s.method.listens && meta.Len() <= c.options.Limits.Notification {
		if id := subscriptionID(m).Value; exchangeAt(m, id) == s.upstream {
			spans = append(spans, id)
		}
	}
	out.ToFront = append(out.ToFront, out.renamed(m, 0, s.front, spans...))
	c.done(now, s, "", out)
}

// renamed returns m with id in the place of each of spans.
func (s *Steps) renamed(m *jsonrpc.Message, ex Exchange, id []byte, spans ...jsonrpc.Span) Frame {
	if len(spans) == 2 && spans[1].Off < spans[0].Off {
		spans[0], spans[1] = spans[1], spans[0]
	}
	start, first := len(s.buf), len(s.edits)
	s.buf = append(s.buf, id...)
	for _, at := range spans {
		s.edits = append(s.edits, jsonrpc.Edit{Off: at.Off, Cut: at.Len(), Insert: s.literal(start)})
	}
	return Frame{Exchange: ex, Msg: m, Edits: s.edits[first:len(s.edits):len(s.edits)]}
}

// leaveStreams cancels the streams of notifications, which no answer ends that anybody
// waits for.
func (c *core) leaveStreams(now time.Time, out *Steps) {
	c.table.each(func(s *slot) {
		if s.method.listens {
			c.abandon(s.upstream, nil, out)
			c.done(now, s, "", out)
		}
	})
}

// translates reports whether a request is in flight that was not passed on.
func (t *table) translates() bool {
	found := false
	t.each(func(s *slot) { found = found || !s.method.relayed })
	return found
}
