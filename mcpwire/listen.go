package mcpwire

import (
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A stage is where the stream of notifications stands. What comes makes of it (T162 to
// T165) on stdio:
//
//	stage     the front's change  acknowledged   ended by the upstream  its time is over
//	off       replaced            –              –                      –
//	opening   the same            active, idle   lost                   taken back, lost
//	active    replaced            the same       lost                   –
//	idle      replaced            the same       the same               –
//	draining  the same            the same       opening                opening
//	waiting   replaced            the same       the same               opening
//	stopped   replaced            the same       the same               –
//
// Replaced is draining until the old stream has ended, if there is one, and then opening;
// or off, where nothing is wanted any more. Lost is waiting, or stopped after a refusal
// that will come again; but replaced if a change waits, and off if nothing is wanted or
// the front's input has ended. A stream that is acknowledged without all that the front
// wants by then is replaced. Over HTTP, replaced is opening at once: the old stream stays
// active until the new one is acknowledged, and if that is lost, after all. The first change is that the front is initialized. The end
// of the session, and of the upstream, make every stage off.
type stage uint8

const (
	stageOff      stage = iota // there is none
	stageOpening               // asked for; the acknowledgement is awaited
	stageActive                // acknowledged: its events reach the front
	stageIdle                  // acknowledged with nothing in it (T164)
	stageDraining              // taken back, to be replaced; its end is awaited (T163)
	stageWaiting               // lost; it is opened again after a while (T165)
	stageStopped               // refused for good; the next change of the front opens it again (T165)
)

// A listener owns the one stream of notifications from the upstream (T160 to T170),
// and what the front has subscribed to.
type listener struct {
	core     *core
	meta     []byte  // see hello
	declared feature // the list changes that the upstream has

	stage   stage
	stream  Exchange  // the newest one, until its end was seen; zero if there is none
	old     oldStream // the one that it replaces, over HTTP
	drained time.Time // when the stream, which was taken back, counts as ended; else zero
	granted feature   // what the acknowledgement says
	since   time.Time // when it came; zero before
	wait    time.Duration
	gap     gap

	signedIn bool // somebody has signed in since the stream was asked for

	watches []*watch // in the order in which they came
	changes []change // not answered yet, in that order
}

// An eventKind is a kind of event that the front may get: its method, and the
// member of a filter that asks for it.
type eventKind struct {
	feature feature
	flag    string
	method  string
}

// eventKinds are all of them (T161), in the order of a filter.
var eventKinds = [...]eventKind{
	{featureToolsChanged, "toolsListChanged", "notifications/tools/list_changed"},
	{featurePromptsChanged, "promptsListChanged", "notifications/prompts/list_changed"},
	{featureResourcesChanged, "resourcesListChanged", "notifications/resources/list_changed"},
	{featureSubscribe, "resourceSubscriptions", methodUpdated},
}

const listChanges = featureToolsChanged | featurePromptsChanged | featureResourcesChanged

// newListener returns the listener for an upstream with these features.
func newListener(c *core, meta []byte, f feature) *listener {
	return &listener{core: c, meta: meta, declared: f & listChanges}
}

// initialized implements T160: the front is ready for events.
func (l *listener) initialized(now time.Time, out *Steps) {
	if l.stage == stageOff {
		l.replace(now, out)
	}
}

// adjust brings the stream in line with what the front wants. While an
// acknowledgement is awaited, changes gather for the next one (T162).
func (l *listener) adjust(now time.Time, out *Steps) {
	switch l.stage {
	case stageOpening:
	case stageActive, stageIdle:
		if !l.fits() {
			l.replace(now, out)
		}
	case stageDraining:
		l.closed(now, out)
	default:
		if len(l.changes) > 0 {
			l.replace(now, out)
		}
	}
}

// replace implements T163 for an upstream whose streams share one wire: the old
// stream is taken back and drained before the new one is opened, because servers
// lose subscriptions otherwise. Where each stream has a response of its own, the
// new one comes first.
func (l *listener) replace(now time.Time, out *Steps) {
	if l.core.overHTTP() {
		l.replaceOver(now, out)
		return
	}
	l.takeBack(now, out)
	if l.stream == 0 || !now.Before(l.drained) {
		l.open(now, out)
		return
	}
	l.enter(stageDraining, l.drained, out)
	l.closed(now, out)
}

// takeBack cancels the stream, unless it was or has ended.
func (l *listener) takeBack(now time.Time, out *Steps) {
	if l.stream == 0 || !l.drained.IsZero() {
		return
	}
	l.core.abandon(l.stream, nil, out)
	if l.core.overHTTP() { // and that is its end
		l.stream = 0
		return
	}
	l.drained = now.Add(l.core.options.Limits.ListenDrain)
	l.gap = max(l.gap, gapSwap)
}

// open asks for a stream with everything that the front wants (T160).
func (l *listener) open(now time.Time, out *Steps) {
	l.stream, l.drained, l.since, l.signedIn = 0, time.Time{}, time.Time{}, false
	if l.nothing() || l.core.gone != "" {
		l.rest(stageOff, out)
		l.closed(now, out)
		return
	}
	l.core.last++
	l.stream = l.core.last
	start := len(out.buf)
	out.buf = append(appendRequest(out.buf, l.stream, methodListen), `{"notifications":{`...)
	out.buf = append(l.appendFilter(out.buf), `},`...)
	out.buf = append(append(out.buf, l.meta...), `}}}`...)
	l.core.send(Frame{Exchange: l.stream, Lit: out.literal(start)}, methodListen, out)
	l.enter(stageOpening, now.Add(l.core.options.Limits.Listen), out)
}

// appendFilter appends the members of the filter for what the front wants, and
// notes that they were asked for.
func (l *listener) appendFilter(b []byte) []byte {
	start := len(b)
	comma := func() {
		if len(b) > start {
			b = append(b, ',')
		}
	}
	for _, k := range eventKinds {
		if l.declared&k.feature != 0 {
			comma()
			b = append(append(append(b, '"'), k.flag...), `":true`...)
		}
	}
	first := true
	for _, w := range l.watches {
		if w.inFilter = w.wanted; !w.inFilter {
			continue
		}
		if first {
			comma()
			b = append(b, `"resourceSubscriptions":[`...)
		} else {
			b = append(b, ',')
		}
		first = false
		b = jsonrpc.AppendQuote(b, w.uri)
	}
	if !first {
		b = append(b, ']')
	}
	for i := range l.changes {
		l.changes[i].carried = true
	}
	return b
}

// enter goes to a stage that lasts until due at most.
func (l *listener) enter(s stage, due time.Time, out *Steps) {
	l.stage = s
	out.arm(Timer{TimerID{Kind: TimerListen}, due})
}

// rest goes to a stage that lasts.
func (l *listener) rest(s stage, out *Steps) {
	l.stage = s
	out.disarm(TimerID{Kind: TimerListen})
}

// fired says that the stage has lasted as long as it may.
func (l *listener) fired(now time.Time, out *Steps) {
	switch l.stage {
	case stageOpening: // T164
		l.takeBack(now, out)
		l.refuse(now, CauseTimeout, out)
		l.lost(now, loss{}, out)
	case stageDraining, stageWaiting:
		l.replace(now, out)
	}
}

// forget forgets the stream with an upstream that is lost (T100).
func (l *listener) forget(out *Steps) {
	if l != nil {
		l.dropOld()
		l.stream, l.changes = 0, nil
		l.rest(stageOff, out)
	}
}

// stop implements T169: the stream is taken back, and nothing more goes upstream.
// Whoever calls it sees to the slots of the changes that wait.
func (l *listener) stop(out *Steps) {
	if l != nil && l.stream != 0 && l.drained.IsZero() {
		l.core.abandon(l.stream, nil, out)
	}
	if l != nil {
		l.closeOld(out)
	}
	l.forget(out)
}
