package mcpwire

import (
	"maps"
	"slices"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A server over HTTP that was initialized may forget its session, and says so by status
// 404 to a request that names it (L10). Then it is initialized once more, behind the
// front's back, with what the front said at first.

// maxSession is the longest id of a session, in bytes.
const maxSession = 1024

// ValidSession reports whether id can be that of a session with an older upstream (U17):
// visible ASCII, and not too long. It is a secret. A response to initialize that has
// another one is a [Failure] with [CauseInvalidUpstreamMessage].
func ValidSession(id string) bool {
	if id == "" || len(id) > maxSession {
		return false
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return false
		}
	}
	return true
}

// reopen opens the session anew for the request of s, which the upstream refused since it
// knows the session no more. Those that were refused for it, and those that come meanwhile,
// go out afterwards; each once more, and not again (U10).
func (p *legacyOverLegacy) reopen(now time.Time, s *slot, out *Steps) {
	c := p.core
	if s.again || c.ending {
		c.fail(now, s, &Failure{Status: statusNotFound}, out)
		return
	}
	c.untimed(s, out)
	s.again, s.phase = true, phaseReopening
	if p.reopening != nil {
		return
	}
	if c.table.used() == maxInFlight {
		c.end(now, s, CauseBusy, out)
		return
	}
	c.inquiries.forget(out)
	p.running = nil
	out.log(Event{Kind: EventReopened, Method: methodInitialize})
	p.reopening = c.table.take(nil, c.next(), now)
	p.reopening.method, p.reopening.quiet = &opening, true // nobody of the front waits for it
	start := len(out.buf)
	out.buf = append(appendRequest(out.buf, p.reopening.upstream, methodInitialize), p.hello...)
	out.buf = append(out.buf, '}')
	out.ToUpstream = append(out.ToUpstream, Frame{Exchange: p.reopening.upstream, Lit: out.literal(start), Opens: true})
	c.limit(now, p.reopening, c.options.Limits.Discover, out)
}

// reopened takes the answer to initialize: it must be of the revision that the front has.
// The upstream is told what the front has told it in the session before, and the front
// that what it knows may have changed.
func (p *legacyOverLegacy) reopened(now time.Time, m *jsonrpc.Message, out *Steps) {
	c := p.core
	if !m.Error.IsZero() || revisionAt(m, m.Member(int(memProtocolVersion)).Value) != c.front {
		p.reopenFailed(now, &Failure{Cause: CauseInvalidUpstreamMessage}, out)
		return
	}
	c.done(now, p.reopening, "", out)
	p.reopening = nil
	p.early |= p.features & listChanges
	if p.initialized {
		p.introduce(out)
		p.sendEarly(out)
	}
	for _, uri := range slices.Sorted(maps.Keys(p.watched)) {
		p.request(methodSubscribe, `"uri":`+string(jsonrpc.AppendQuote(nil, uri)), out)
	}
	c.table.each(func(s *slot) {
		if s.phase == phaseReopening {
			p.again(now, s, out)
		}
	})
}

// reopenFailed ends every request that waits for the session by f.
func (p *legacyOverLegacy) reopenFailed(now time.Time, f *Failure, out *Steps) {
	c := p.core
	c.done(now, p.reopening, f.cause(), out)
	p.reopening = nil
	c.table.each(func(s *slot) {
		if s.phase == phaseReopening {
			c.fail(now, s, f, out)
		}
	})
}
