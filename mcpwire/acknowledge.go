package mcpwire

import (
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A grant is what an acknowledgement says: the kinds of events that come, and the URIs
// among what was asked for.
type grant struct {
	features feature
	watches  map[*watch]bool
}

// onAcknowledged implements T164 and T162: the acknowledgement of the stream says
// what it carries. It writes the answers to the changes before any event.
func (l *listener) onAcknowledged(now time.Time, ex Exchange, m *jsonrpc.Message, id picked, out *Steps) {
	var g grant
	switch {
	case l.stage != stageOpening || l.streamOf(ex, m, id, out) != l.stream: // of a stream that was given up meanwhile, or a second one
		out.log(Event{Kind: EventDropped, Rule: "T161"})
		return
	case !l.readGrant(m, &g):
		out.log(Event{Kind: EventDropped, Rule: "T164"})
		return
	}
	l.closeOld(out)
	l.since, l.granted = now, g.features
	l.tellNarrowed(&g, out)
	watched := l.toldAnd(&g)
	l.settleChanges(now, &g, out)
	if !l.fits() {
		l.replace(now, out)
		return
	}
	if l.granted == 0 {
		l.rest(stageIdle, out)
	} else {
		l.rest(stageActive, out)
	}
	l.repair(watched, out)
}

// readGrant reads what an acknowledgement grants of what was asked for. What
// nobody asked for counts for nothing. It reports false if the filter is none.
func (l *listener) readGrant(m *jsonrpc.Message, g *grant) bool {
	var found [1]picked
	pick(m, found[:], "notifications")
	filter := found[0].once()
	if m.First(filter) != '{' {
		return false
	}
	inFilter := make(map[string]*watch)
	for _, w := range l.watches {
		if w.inFilter {
			inFilter[w.uri] = w
		}
	}
	g.watches = make(map[*watch]bool)
	var seen feature
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
			if first == '[' {
				g.readURIs(m, &w, inFilter)
			}
		case first == 't':
			g.features |= k.feature & l.declared
		}
	}
	if len(g.watches) > 0 {
		g.features |= featureSubscribe
	}
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

// readURIs takes note of the watches whose URIs are in the array at w.
func (g *grant) readURIs(m *jsonrpc.Message, w *jsonrpc.Walk, inFilter map[string]*watch) {
	var uri []byte
	w.Enter()
	for w.Next() {
		text := w.First() == '"'
		at := w.Skip()
		if !text {
			continue
		}
		uri, _ = m.AppendString(uri[:0], at)
		if o := inFilter[string(uri)]; o != nil {
			g.watches[o] = true
		}
	}
	w.Leave()
}

// tellNarrowed logs that less was granted than was asked for.
func (l *listener) tellNarrowed(g *grant, out *Steps) {
	missing := 0
	for _, k := range eventKinds {
		if l.declared&^g.features&k.feature != 0 {
			missing++
		}
	}
	for _, w := range l.watches {
		if w.inFilter && !g.watches[w] {
			missing++
		}
	}
	if missing > 0 {
		out.log(Event{Kind: EventNarrowed, Rule: "T164", Count: missing})
	}
}

// settleChanges answers the changes that the acknowledged stream settles: an added URI
// must be granted, unless a later change has overtaken it.
func (l *listener) settleChanges(now time.Time, g *grant, out *Steps) {
	l.ripen()
	for i := range l.changes {
		if ch := &l.changes[i]; ch.ripe {
			ch.watch.told = g.watches[ch.watch]
		}
	}
	l.take(func(ch *change) {
		if ch.add && ch.watch.inFilter && !g.watches[ch.watch] {
			l.core.end(now, ch.slot, CauseSubscriptionRefused, out)
		} else {
			l.confirm(now, ch, out)
		}
	})
	for _, w := range l.watches {
		w.inFilter = w.inFilter && (g.watches[w] || w.told) // what was refused is not asked for again
	}
	l.ripen() // and need not be taken back
	l.take(func(ch *change) { l.confirm(now, ch, out) })
}
