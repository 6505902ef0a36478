package mcpwire

import (
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// oneWay is the part of a pair through which requests pass in one direction only:
// from the front to the upstream.
type oneWay struct{}

// frontResponse drops a response: no request of ours waits for one (T6).
func (oneWay) frontResponse(_ time.Time, _ *jsonrpc.Message, out *Steps) {
	out.log(Event{Kind: EventDropped, Rule: "T6"})
}

// upstreamRequest drops a request: a server of 2026-07-28 sends none (T7).
func (oneWay) upstreamRequest(_ time.Time, _ *jsonrpc.Message, out *Steps) {
	out.log(Event{Kind: EventDropped, Rule: "T7"})
}
