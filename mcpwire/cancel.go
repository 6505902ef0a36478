package mcpwire

import (
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// maxReason is the longest reason that is passed on, in bytes.
const maxReason = 4 << 10

// cancelledByFront implements T150, and T13 for initialize: the request that the front
// names ends without an answer, whatever the upstream still sends for it. Questions
// that wait for the front are taken back (T132).
func (c *core) cancelledByFront(now time.Time, m *jsonrpc.Message, out *Steps) {
	var found [2]picked
	pick(m, found[:], "requestId", "reason")
	id, why := found[0].Value, found[1].Value
	s := c.table.ofFront(m.AppendSpan(nil, id))
	if id.IsZero() || s == nil || anyTwice(found[:]) { // unknown, or answered already
		out.log(Event{Kind: EventDropped, Rule: "T150"})
		return
	}
	var reason []byte
	if m.First(why) == '"' && why.Len() <= maxReason {
		reason = m.AppendSpan(nil, why)
	}
	out.log(Event{Kind: EventCancelled, Method: s.method.name})
	switch s.phase {
	case phaseWaiting:
		c.abandonRequest(s, reason, out)
	case phaseSubscribing:
		c.listen.withdraw(now, s, out)
	}
	c.done(now, s, "", out)
}
