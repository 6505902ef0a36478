package mcpwire

import "github.com/trestle-mcp/trestle/jsonrpc"

// A gap is how long no stream was open, so that events may have been missed: the
// upstream does not send them again.
type gap uint8

const (
	gapNone gap = iota
	gapSwap     // one stream was replaced by another (T163)
	gapLost     // it was lost
)

// repair implements T166: after a gap the front is told of everything that may
// have changed. These are the only events that the session makes up (T170).
func (l *listener) repair(out *Steps) {
	was := l.gap
	l.gap = gapNone
	if was == gapNone || was == gapSwap && l.core.options.Profile.AllowSwapGap {
		return
	}
	for _, k := range eventKinds {
		if was == gapLost && l.granted&listChanges&k.feature != 0 {
			out.event(k.method, nil, nil)
		}
	}
	for _, w := range l.watches {
		if w.missed && w.held {
			out.event(methodUpdated, jsonrpc.AppendQuote(nil, w.name), nil)
		}
	}
}
