package mcpwire

import (
	"encoding/binary"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A loss is how a stream was lost (T165).
type loss struct {
	refused bool          // the upstream will refuse the next one, too
	signIn  bool          // unless somebody signs in first
	pause   time.Duration // the least wait that it asks for
}

// owns reports whether ex is the stream, or the one that it replaces, and its end was
// not seen yet.
func (l *listener) owns(ex Exchange) bool {
	return l != nil && ex != 0 && (ex == l.stream || ex == l.old.stream)
}

// onResponse implements T168 for a response: the upstream has ended the stream ex.
func (l *listener) onResponse(now time.Time, ex Exchange, m *jsonrpc.Message, out *Steps) {
	l.ended(now, ex, loss{refused: l.isRefusal(m)}, out)
}

// isRefusal reports whether the end of a stream is an error that will come again. An
// error is consumed here (T95), and one that is longer than a notification may be is not
// read: this is done inside the caller's lock.
func (l *listener) isRefusal(m *jsonrpc.Message) bool {
	if m.Error.IsZero() || m.Len() > l.core.options.Limits.Notification {
		return false
	}
	switch readError(m).code {
	case codeMethodNotFound, codeInvalidParams, codeMissingCapability, codeUnsupportedVersion:
		return true
	}
	return false
}

// onCancelled implements T168 and T151 for a cancellation by the upstream: it can
// only end the stream, and never reaches the front.
func (l *listener) onCancelled(now time.Time, ex Exchange, m *jsonrpc.Message, out *Steps) {
	var found [1]picked
	pick(m, found[:], "requestId")
	id := exchangeAt(m, found[0].once())
	if ex != 0 && ex != id || !l.owns(id) {
		out.log(Event{Kind: EventDropped, Rule: "T151"})
		return
	}
	if l.core.overHTTP() {
		l.core.answered(id, out)
	}
	l.ended(now, id, loss{}, out)
}

// ended says that the stream ex has ended.
func (l *listener) ended(now time.Time, ex Exchange, how loss, out *Steps) {
	if ex == l.old.stream { // the new one is on its way
		l.dropOld()
		l.gap = gapLost
		return
	}
	takenBack := !l.drained.IsZero()
	l.stream, l.drained = 0, time.Time{}
	switch {
	case l.stage == stageDraining:
		l.open(now, out)
	case takenBack, l.stage == stageIdle: // T164: an idle one is not opened again
	default:
		l.refuse(now, CauseSubscriptionRefused, out)
		l.lost(now, how, out)
	}
}

// lost implements T165: the stream is opened again after a wait, or at once if the
// front has changed something meanwhile. If it was to replace one, that one stays.
func (l *listener) lost(now time.Time, how loss, out *Steps) {
	if l.restore(now, out) {
		return
	}
	l.gap = gapLost
	wait := max(l.pause(now), min(how.pause, l.core.options.Limits.RetryAfter))
	switch {
	case len(l.changes) > 0:
		l.replace(now, out)
	case l.core.ending || l.nothing(): // T169
		l.rest(stageOff, out)
	case how.signIn && l.signedIn:
		l.open(now, out)
	case how.refused:
		l.rest(stageStopped, out)
		out.log(Event{Kind: EventListenStopped, Rule: "T165"})
	default:
		l.enter(stageWaiting, now.Add(wait), out)
		out.log(Event{Kind: EventListenLost, Rule: "T165"})
	}
}

// pause returns the wait before the stream is opened again. It doubles with each
// loss, and starts again after a stream that has lived long enough.
func (l *listener) pause(now time.Time) time.Duration {
	o := &l.core.options
	if !l.since.IsZero() && now.Sub(l.since) >= o.Limits.ListenAlive {
		l.wait = 0
	}
	l.wait = min(max(2*l.wait, o.Limits.Relisten), o.Limits.RelistenMax)
	return l.core.jitter(l.wait)
}

// jitter moves d by up to a fifth, so that bridges whose server was restarted do
// not come back together.
func (c *core) jitter(d time.Duration) time.Duration {
	var b [4]byte
	if !c.random(b[:]) {
		return d
	}
	part := float64(binary.LittleEndian.Uint32(b[:])) / (1 << 32) // of 0 to 1
	return d + time.Duration(float64(d)*(part-0.5)*2/5)
}

// inputEnded implements T169 for a wait: nothing is opened any more for a front
// that is gone.
func (l *listener) inputEnded(out *Steps) {
	if l != nil && l.stage == stageWaiting {
		l.rest(stageOff, out)
	}
}

// A gap is how long no stream was open, so that events may have been missed: the
// upstream does not send them again.
type gap uint8

const (
	gapNone gap = iota
	gapSwap     // one stream was replaced by another (T163)
	gapLost     // it was lost
)

// toldAnd returns the URIs that the front was told that it is subscribed to, and that
// the new stream carries: events about them may have been missed.
func (l *listener) toldAnd(g *grant) []*watch {
	var watched []*watch
	for _, w := range l.watches {
		if w.told && g.watches[w] {
			watched = append(watched, w)
		}
	}
	return watched
}

// repair implements T166: after a gap the front is told of everything that may
// have changed, of watched as far as it is subscribed to it still. These are the only events that the session makes up (T170).
func (l *listener) repair(watched []*watch, out *Steps) {
	was := l.gap
	l.gap = gapNone
	if was == gapNone || was == gapSwap && l.core.options.Profile.AllowSwapGap {
		return
	}
	for _, k := range eventKinds {
		if was == gapLost && l.granted&listChanges&k.feature != 0 {
			if k.feature == featureToolsChanged { // T199
				l.core.index.clear()
			}
			out.event(k.method, nil, nil)
		}
	}
	for _, w := range watched {
		if w.told {
			out.event(methodUpdated, jsonrpc.AppendQuote(nil, w.name), nil)
		}
	}
}
