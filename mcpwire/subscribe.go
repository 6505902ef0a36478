package mcpwire

import (
	"cmp"
	"slices"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A watch is what is known of one URI. Its flags say in which of three sets it is. They
// are the same while the stream rests. A change of the front moves wanted; a stream that
// is asked for makes inFilter what is wanted; an acknowledgement, or the end of all
// streams, moves told. A change that fails, or is cancelled, moves wanted back to told.
type watch struct {
	uri      string // as it goes upstream
	name     string // as the front asked for it (W21)
	wanted   bool   // the last change wants it; without one, the front was told that it has it
	inFilter bool   // it is in the filter of the newest stream, and was not refused there
	told     bool   // the front was told that it is subscribed
	inOld    bool   // it is in the filter of the stream that is replaced, over HTTP
}

// A change is a request of the front to subscribe or unsubscribe. It is answered
// with the acknowledgement of the stream that carries it (T162).
type change struct {
	slot    *slot
	watch   *watch
	add     bool
	carried bool // by the newest stream, which was asked for after it
	ripe    bool // to be answered
}

// change takes a request to subscribe or unsubscribe (T162).
func (l *listener) change(now time.Time, m *jsonrpc.Message, md *method, out *Steps) {
	c := l.core
	name, _ := m.String(m.Member(int(memURI)).Value)
	add := md.name == methodSubscribe
	w := l.find(name)
	last := l.lastChange(w)
	switch {
	case last == nil && w.told == add && c.gone == "":
		out.result(c.id, "{}")
		return
	case add && !w.wanted && l.full(w):
		c.refuse(out, CauseBusy)
		return
	case !c.admits(0, out):
		return
	}
	s := c.table.take(c.id, 0, now)
	s.method, s.phase = md, phaseSubscribing
	if !slices.Contains(l.watches, w) {
		l.watches = append(l.watches, w)
	}
	l.changes = append(l.changes, change{slot: s, watch: w, add: add})
	if add && !w.wanted {
		w.name = name
	}
	w.wanted = add
	l.adjust(now, out)
}

// find returns the watch that the front means by name; it is a new one if there is
// none yet.
func (l *listener) find(name string) *watch {
	uri := name
	if l.core.options.Profile.EditorURIs { // W21
		uri = cmp.Or(l.core.listed.of(name), name)
	}
	found := &watch{uri: uri, name: name}
	for _, w := range l.watches {
		switch {
		case w.name == name:
			return w
		case w.uri == uri:
			found = w
		}
	}
	return found
}

// full reports whether there is no room to subscribe to w.
func (l *listener) full(w *watch) bool {
	n, size := 1, len(w.uri)+len(w.name)
	for _, o := range l.watches {
		if o.wanted {
			n, size = n+1, size+len(o.uri)+len(o.name)
		}
	}
	limits := &l.core.options.Limits
	return n > limits.URIs || size > limits.URIBytes
}

// lastChange returns the last change of w that is not answered yet, or nil.
func (l *listener) lastChange(w *watch) *change {
	for i := len(l.changes) - 1; i >= 0; i-- {
		if l.changes[i].watch == w {
			return &l.changes[i]
		}
	}
	return nil
}

// withdraw forgets the change of s, which the front has cancelled: the URI stays
// as it was (T150).
func (l *listener) withdraw(now time.Time, s *slot, out *Steps) {
	l.changes = slices.DeleteFunc(l.changes, func(ch change) bool { return ch.slot == s })
	l.tidy()
	l.adjust(now, out)
}

// ripen marks the changes that the end of the wait for the newest stream settles:
// those of a URI that the stream was asked for as the front wants it now, and
// those that it carries. But what it carries was not asked for if a later change
// had overtaken it, which the front has cancelled since.
func (l *listener) ripen() {
	carries := make(map[*watch]bool) // the last change that it carries is as it was asked for
	for i := range l.changes {
		if ch := &l.changes[i]; ch.carried {
			carries[ch.watch] = ch.add == ch.watch.inFilter
		}
	}
	for i := range l.changes {
		ch := &l.changes[i]
		ch.ripe = ch.watch.wanted == ch.watch.inFilter || ch.carried && carries[ch.watch]
		ch.carried = false
	}
}

// refuse undoes the changes that the newest stream would have settled, and answers
// them by the error of cause.
func (l *listener) refuse(now time.Time, cause Cause, out *Steps) {
	l.ripen()
	l.take(func(ch *change) { l.core.end(now, ch.slot, cause, out) })
}

// closed answers every change when the front wants nothing any more, so that no
// stream follows the one that was taken back (T162).
func (l *listener) closed(now time.Time, out *Steps) {
	if !l.nothing() {
		return
	}
	for _, w := range l.watches {
		w.told = false
	}
	for i := range l.changes {
		l.changes[i].ripe = true
	}
	l.take(func(ch *change) { l.confirm(now, ch, out) })
}

// confirm answers a change.
func (l *listener) confirm(now time.Time, ch *change, out *Steps) {
	out.result(ch.slot.front, "{}")
	l.core.done(now, ch.slot, "", out)
}

// take takes away the changes that are ripe, after each was answered.
func (l *listener) take(answer func(*change)) {
	for i := range l.changes {
		if ch := &l.changes[i]; ch.ripe {
			answer(ch)
		}
	}
	l.changes = slices.DeleteFunc(l.changes, func(ch change) bool { return ch.ripe })
	l.tidy()
}

// tidy settles what is wanted after changes are gone, and forgets the URIs of
// which nothing is left.
func (l *listener) tidy() {
	for _, w := range l.watches {
		w.wanted = w.told
	}
	for i := range l.changes {
		l.changes[i].watch.wanted = l.changes[i].add
	}
	l.watches = slices.DeleteFunc(l.watches, func(w *watch) bool {
		return !w.wanted && !w.told && !w.inFilter && !w.inOld && l.lastChange(w) == nil
	})
}

// nothing reports whether there is nothing to listen to.
func (l *listener) nothing() bool {
	return l.declared == 0 && !slices.ContainsFunc(l.watches, func(w *watch) bool { return w.wanted })
}

// fits reports whether the newest stream was asked for with what the front wants.
func (l *listener) fits() bool {
	return !slices.ContainsFunc(l.watches, func(w *watch) bool { return w.wanted != w.inFilter })
}
