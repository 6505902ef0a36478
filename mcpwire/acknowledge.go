package mcpwire

import (
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// onAcknowledged implements T164 and T162: the acknowledgement of the stream says
// what it carries. It writes the answers to the changes before any event.
func (l *listener) onAcknowledged(now time.Time, m *jsonrpc.Message, id picked, out *Steps) {
	switch {
	case l.stage != stageOpening || !l.isMine(m, id): // of a stream that was given up meanwhile, or a second one
		out.log(Event{Kind: EventDropped, Rule: "T161"})
		return
	case !l.readGrant(m):
		out.log(Event{Kind: EventDropped, Rule: "T164"})
		return
	}
	l.since = now
	l.tellNarrowed(out)
	l.settleChanges(now, out)
	if !l.fits() {
		l.replace(now, out)
		return
	}
	if l.granted == 0 {
		l.rest(stageIdle, out)
	} else {
		l.rest(stageActive, out)
	}
	l.repair(out)
}

// readGrant reads what an acknowledgement grants of what was asked for. What
// nobody asked for counts for nothing. It reports false if the filter is none.
func (l *listener) readGrant(m *jsonrpc.Message) bool {
	var found [1]picked
	pick(m, found[:], "notifications")
	filter := found[0].once()
	if m.First(filter) != '{' {
		return false
	}
	asked := make(map[string]*watch)
	for _, w := range l.watches {
		if w.granted = false; w.inFilter {
			asked[w.uri] = w
		}
	}
	var seen, granted feature
	for w := m.Walk(filter); w.Next(); {
		k := kindOf(&w)
		switch {
		case k == nil:
			continue
		case seen&k.feature != 0: // W11
			return false
		}
		seen |= k.feature
		switch first := w.First(); {
		case k.feature == featureSubscribe:
			if first == '[' && readURIs(m, &w, asked) {
				granted |= k.feature
			}
		case first == 't':
			granted |= k.feature & l.declared
		}
	}
	l.granted = granted
	return true
}

// kindOf returns the kind of event that the member of a filter at w asks for, or
// nil.
func kindOf(w *jsonrpc.Walk) *eventKind {
	for i := range eventKinds {
		if w.NameIs(eventKinds[i].flag) {
			return &eventKinds[i]
		}
	}
	return nil
}

// readURIs marks the watches whose URIs are in the array at w. It reports whether
// there were any.
func readURIs(m *jsonrpc.Message, w *jsonrpc.Walk, asked map[string]*watch) (any bool) {
	var uri []byte
	w.Enter()
	for w.Next() {
		text := w.First() == '"'
		at := w.Skip()
		if !text {
			continue
		}
		uri, _ = m.AppendString(uri[:0], at)
		if o := asked[string(uri)]; o != nil {
			o.granted, any = true, true
		}
	}
	w.Leave()
	return any
}

// tellNarrowed logs that less was granted than was asked for.
func (l *listener) tellNarrowed(out *Steps) {
	missing := 0
	for _, k := range eventKinds {
		if l.declared&^l.granted&k.feature != 0 {
			missing++
		}
	}
	for _, w := range l.watches {
		if w.inFilter && !w.granted {
			missing++
		}
	}
	if missing > 0 {
		out.log(Event{Kind: EventNarrowed, Rule: "T164", Count: missing})
	}
}

// settleChanges answers the changes that the acknowledged stream settles: an added URI
// must be granted, unless a later change has overtaken it.
func (l *listener) settleChanges(now time.Time, out *Steps) {
	for _, w := range l.watches {
		w.missed = w.held && w.granted
	}
	l.ripen()
	for i := range l.changes {
		if ch := &l.changes[i]; ch.ripe {
			ch.watch.held = ch.watch.granted
		}
	}
	l.take(func(ch *change) {
		if ch.add && ch.watch.inFilter && !ch.watch.granted {
			l.core.end(now, ch.slot, CauseSubscriptionRefused, out)
		} else {
			l.confirm(now, ch, out)
		}
	})
	for _, w := range l.watches {
		w.inFilter = w.inFilter && (w.granted || w.held) // what was refused is not asked for again
	}
	l.ripen() // and need not be taken back
	l.take(func(ch *change) { l.confirm(now, ch, out) })
}
