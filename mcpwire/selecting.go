package mcpwire

import (
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A Selection lets the first request of the front select how the session goes on: the
// upstream is a server of 2026-07-28 in the same program, which serves fronts of that
// revision itself. A request whose method is initialize selects the translation for an
// older front; any other, and a line that is broken, selects that lines are passed on as
// they are, but for the ids of requests. The selection stands until the session ends.
//
// A notification, a response, a blank line, a line that is too long and a first
// server/discover select nothing.
type Selection struct {
	// RefuseDiscover refuses server/discover before the selection, for fronts that send
	// it and then take the server for one that they must not initialize. Else the
	// upstream answers it.
	RefuseDiscover bool

	// Grace is how long the requests of a front of 2026-07-28 may still be answered after
	// the end of its input, before they are cancelled. Those of an older front are
	// cancelled at once.
	Grace time.Duration
}

// selecting is the pair of a session whose front has not selected yet (E01, T220).
type selecting struct {
	*relay
}

// newSelecting returns the first pair of a session with a [Selection].
func newSelecting(c *core) *selecting {
	c.passes, c.patience = true, c.options.Selection.Grace
	return &selecting{&relay{core: c}}
}

// absent: before a revision is negotiated, the id is null (T3).
func (p *selecting) absent() absentID { return idNull }

// frontRequest implements T220: only the method counts.
func (p *selecting) frontRequest(now time.Time, m *jsonrpc.Message, out *Steps) pair {
	c := p.core
	switch string(c.name) {
	case methodInitialize:
		c.passes, c.patience = false, 0
		return (&undecided{core: c}).frontRequest(now, m, out)
	case methodDiscover: // E03
		if c.options.Selection.RefuseDiscover {
			c.refuse(out, CauseMethodNotFound)
		} else {
			c.relayRequest(now, m, out)
		}
		return p
	}
	return p.relay.frontRequest(now, m, out)
}

// frontNotification honours the cancellation of server/discover and drops the rest.
func (p *selecting) frontNotification(now time.Time, m *jsonrpc.Message, out *Steps) pair {
	if m.Is(m.Method, methodCancelled) {
		p.core.cancelledByFront(now, m, out)
	} else {
		out.log(Event{Kind: EventDropped, Rule: "T220"})
	}
	return p
}

// upstreamNotification drops everything: nobody knows yet in which revision to say it.
func (p *selecting) upstreamNotification(_ time.Time, _ Exchange, _ *jsonrpc.Message, out *Steps) {
	out.log(Event{Kind: EventDropped, Rule: "T220"})
}

// badLine implements E02: it returns the pair that answers the line, and none where
// nobody does.
func (p *selecting) badLine(e *jsonrpc.LineError, out *Steps) pair {
	switch {
	case e.Fault == jsonrpc.FaultTooLong:
		out.log(Event{Kind: EventDropped, Rule: "T220"})
		return nil
	case e.Response: // it selects nothing, as a good one
		return p
	}
	return p.relay
}
