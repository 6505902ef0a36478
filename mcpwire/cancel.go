package mcpwire

import (
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// cancelled implements T150, and T13 for initialize: the request that the front
// names ends without an answer, whatever the upstream still sends for it.
func (c *core) cancelled(now time.Time, m *jsonrpc.Message, out *Steps) {
	s := c.table.ofFront(m.AppendSpan(nil, m.Member(int(memRequestID)).Value))
	if s == nil { // unknown, or answered already
		out.log(Event{Kind: EventDropped, Rule: "T150"})
		return
	}
	var reason []byte
	if at := m.Member(int(memReason)).Value; m.First(at) == '"' {
		reason = m.AppendSpan(nil, at)
	}
	out.cancelUpstream(s.upstream, reason)
	c.done(now, s, "", out)
}
