package mcpwire

import (
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// subscriptionID returns the member of a notification that names the stream which it
// belongs to; it is absent if there is none.
func subscriptionID(m *jsonrpc.Message) picked {
	var found [1]picked
	pickOf(m, m.Member(int(memMeta)).Value, found[:], keySubscriptionID)
	return found[0]
}

// streamOf returns the stream that a notification with this id belongs to, and zero for
// none of ours. On stdio the id says it: a number, as it was sent (T161). Over HTTP it came
// in the response to ex, whatever it says: ids of other responses may be the same.
func (l *listener) streamOf(ex Exchange, m *jsonrpc.Message, id picked, out *Steps) Exchange {
	if ex == 0 {
		ex = exchangeAt(m, id.once())
	} else if id.IsZero() && l.owns(ex) {
		out.log(Event{Kind: EventRepaired, Rule: "T161"})
	}
	if !l.owns(ex) {
		return 0
	}
	return ex
}

// onNotification takes a notification of the upstream if it is one that belongs to a stream,
// or ends it. It reports false for any other.
func (l *listener) onNotification(now time.Time, ex Exchange, m *jsonrpc.Message, id picked, out *Steps) bool {
	switch {
	case m.Is(m.Method, methodCancelled):
		l.onCancelled(now, ex, m, out)
		return true
	case m.Is(m.Method, methodAcknowledged):
		l.onAcknowledged(now, ex, m, id, out)
		return true
	}
	for i := range eventKinds {
		if k := &eventKinds[i]; m.Is(m.Method, k.method) {
			l.relay(ex, m, id, k, out)
			return true
		}
	}
	return false
}

// carries returns the events that the stream ex may send to the front.
func (l *listener) carries(ex Exchange) feature {
	switch {
	case ex == 0:
	case ex == l.old.stream:
		return l.old.granted
	case l.stage == stageActive:
		return l.granted
	}
	return 0
}

// relay implements T161: an event of the active stream, of a kind that was
// granted, reaches the front without the id of the stream. The URI of an update may
// be one below a subscribed one, so it is not looked for in what the front wants;
// but if the front asked for it under another name, it hears of that name (W21).
func (l *listener) relay(ex Exchange, m *jsonrpc.Message, id picked, k *eventKind, out *Steps) {
	ex = l.streamOf(ex, m, id, out)
	switch {
	case l.stage == stageOpening && ex != 0 && ex == l.stream: // too early
		out.log(Event{Kind: EventDropped, Rule: "T164"})
		return
	case l.carries(ex)&k.feature == 0:
		out.log(Event{Kind: EventDropped, Rule: "T161"})
		return
	case k.feature != featureSubscribe:
		if k.feature == featureToolsChanged { // T199
			l.core.index.clear()
		}
		out.event(k.method, nil, m)
		return
	}
	at := m.Member(int(memURI)).Value
	uri, ok := m.String(at)
	if !ok {
		out.log(Event{Kind: EventDropped, Rule: "T161"})
		return
	}
	value := m.AppendSpan(nil, at)
	for _, w := range l.watches {
		if w.told && w.uri == uri && w.name != uri {
			value = jsonrpc.AppendQuote(nil, w.name)
			break
		}
	}
	out.event(k.method, value, m)
}

// event writes an event to the front: with a URI (JSON), if it has one, and with
// what T44 keeps of the _meta of m, which may be nil.
func (s *Steps) event(method string, uri []byte, m *jsonrpc.Message) {
	start := len(s.buf)
	s.buf = appendNotification(s.buf, method)
	open := len(s.buf)
	if len(uri) > 0 {
		s.buf = append(append(s.buf, `"uri":`...), uri...)
	}
	if m != nil {
		s.appendNotificationMeta(m, len(uri) > 0)
	}
	s.buf = closeNotification(s.buf, open)
	s.ToFront = append(s.ToFront, Frame{Lit: s.literal(start)})
}
