package diag

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// repeatAfter is how long a line about the same rule and method is not repeated.
const repeatAfter = time.Minute

// Events writes the events of one session.
type Events struct {
	log *slog.Logger

	mu   sync.Mutex // guards the fields below
	seen map[about]*repeats
}

// about is what must be equal for two events to be the same to a reader. Its values
// are constants, so there are few.
type about struct {
	kind         mcpwire.EventKind
	rule, method string
	cause        mcpwire.Cause
}

// repeats counts the things behind the lines about one subject.
type repeats struct {
	next  time.Time // when the next line may be written
	count int       // things since the last line
}

// NewEvents returns an Events that writes to log.
func NewEvents(log *slog.Logger) *Events {
	return &Events{log: log, seen: make(map[about]*repeats)}
}

// Write writes the line of e, which happened at now.
func (w *Events) Write(now time.Time, e *mcpwire.Event) {
	level, text := wording(e)
	if !w.log.Enabled(context.Background(), level) {
		return
	}
	switch e.Kind {
	case mcpwire.EventInitializeFailed:
		w.line(level, text, reason(e)...)
	case mcpwire.EventReady:
		w.line(level, text, Revision(e.Revision), Method(e.Method))
	case mcpwire.EventExchange:
		w.line(level, text, Method(e.Method), Round(e.Round), Outcome(e.Cause), Took(e.Took))
	case mcpwire.EventInput:
		w.line(level, text, Method(e.Method), Round(e.Round), Outcome("input_required"), Count(e.Count), Took(e.Took))
	default:
		if n := w.due(now, e); n > 0 {
			w.line(level, text, details(e, n)...)
		}
	}
}

func (w *Events) line(level slog.Level, text string, attrs ...slog.Attr) {
	w.log.LogAttrs(context.Background(), level, text, attrs...)
}

// due returns how many things a line about e stands for, and zero if it is too
// early for another one.
func (w *Events) due(now time.Time, e *mcpwire.Event) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	k := about{e.Kind, e.Rule, e.Method, e.Cause}
	r := w.seen[k]
	if r == nil {
		r = &repeats{}
		w.seen[k] = r
	}
	r.count += max(e.Count, 1)
	if now.Before(r.next) {
		return 0
	}
	n := r.count
	r.next, r.count = now.Add(repeatAfter), 0
	return n
}

// reason says why initialize failed.
func reason(e *mcpwire.Event) []slog.Attr {
	switch {
	case e.Cause == "": // the server has its own, which stays between it and the client
		return nil
	case e.Status == 0:
		return []slog.Attr{Cause(e.Cause)}
	}
	return []slog.Attr{Cause(e.Cause), Status(e.Status)}
}

func details(e *mcpwire.Event, n int) []slog.Attr {
	var attrs []slog.Attr
	if e.Rule != "" {
		attrs = append(attrs, Rule(e.Rule))
	}
	if e.Method != "" {
		attrs = append(attrs, Method(e.Method))
	}
	if e.Cause != "" {
		attrs = append(attrs, Cause(e.Cause))
	}
	if n > 1 {
		attrs = append(attrs, Count(n))
	}
	return attrs
}

// wording is the one place of the texts of events. Routine lines hold none of the
// words at which the editor proposes to change a sandbox.
func wording(e *mcpwire.Event) (slog.Level, string) {
	switch e.Kind {
	case mcpwire.EventInitializeFailed:
		if e.Cause == "" {
			return slog.LevelError, "cannot initialize: the server has refused it; its own log may say why"
		}
		return slog.LevelError, "cannot initialize: " + e.Cause.Text() + " " + e.Cause.Help()
	case mcpwire.EventReady:
		return slog.LevelInfo, "the session is ready"
	case mcpwire.EventRepaired:
		if e.Rule == "I14" {
			return slog.LevelWarn, "the server asks to open a URL whose host is not written in ASCII; the client is shown its ASCII form"
		}
		return slog.LevelInfo, "a value of the server was mended"
	case mcpwire.EventViolation:
		return slog.LevelWarn, "a message of the server breaks its protocol revision"
	case mcpwire.EventExchange, mcpwire.EventInput:
		return slog.LevelDebug, "exchange"
	case mcpwire.EventRefused:
		return refusalLevel(e.Cause), "a request got an error of the bridge: " + e.Cause.Help()
	case mcpwire.EventCancelled:
		return slog.LevelDebug, "the client has cancelled a request"
	case mcpwire.EventListenLost:
		return slog.LevelInfo, "the server has ended its notifications; they are asked for again after a while"
	case mcpwire.EventListenStopped:
		return slog.LevelWarn, "the server refuses to send notifications; they are asked for again when the client changes a subscription"
	case mcpwire.EventReopened:
		return slog.LevelInfo, "the server has forgotten the session; it is opened again"
	case mcpwire.EventNarrowed:
		return slog.LevelDebug, "the server sends fewer kinds of notifications than it was asked for"
	case mcpwire.EventUnanswered:
		return slog.LevelWarn, "the input has ended; a request that was not answered in time is cancelled"
	}
	d, ok := drops[e.Rule]
	if !ok {
		return slog.LevelWarn, "an element of the server's answer was left out"
	}
	return d.level, d.text
}

// refusalLevel tells what a client asks for in vain, which is its own business,
// from what keeps people from their work.
func refusalLevel(c mcpwire.Cause) slog.Level {
	if c.Code() == mcpwire.CauseTimeout.Code() {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// drops are the texts for messages that are dropped, by the rule that drops them.
// What belongs to every session is told to those who look for it only.
var drops = map[string]struct {
	level slog.Level
	text  string
}{
	"T1":   {slog.LevelWarn, "a line of the server is no message and was dropped"},
	"T6":   {slog.LevelDebug, "an answer of the client that nothing waits for was dropped"},
	"T7":   {slog.LevelWarn, "a request of the server was dropped: in its revision servers send none"},
	"T8":   {slog.LevelDebug, "an answer of the server that nothing waits for was dropped"},
	"T12":  {slog.LevelDebug, "a notification of the client came before the session was ready and was dropped"},
	"T145": {slog.LevelDebug, "a notification of the server that nobody asked for was dropped"},
	"I04":  {slog.LevelWarn, "an answer of the client is not what the server asked for; the server got an error"},
	"L5":   {slog.LevelWarn, "a request of the server was refused: the client has not declared it, or must not be asked for it now"},
	"L6":   {slog.LevelDebug, "a notification of the server that is none of its revision was dropped"},
	"U18":  {slog.LevelWarn, "the client did not answer a request of the server in time"},
	"I15":  {slog.LevelWarn, "the server asked for the model again, which was refused in this session; the editor would now allow it without asking, so it is refused; choose Never there to refuse it for good"},
	"T116": {slog.LevelWarn, "the server asked to open a URL that must not be opened; it was declined, and nobody was asked"},
	"T140": {slog.LevelDebug, "progress that nobody waits for was dropped"},
	"T150": {slog.LevelDebug, "a cancellation of a request that is over was dropped"},
	"T151": {slog.LevelWarn, "a cancellation of the server was dropped: its id could hit another request"},
	"T199": {slog.LevelWarn, "a tool of the server was left out: it marks an argument that is to become a header in a way that is not valid"},
	"T202": {slog.LevelWarn, "an answer of the server came in the response to another request and was dropped"},
	"T161": {slog.LevelDebug, "a notification of the server belongs to no open subscription and was dropped"},
	"T164": {slog.LevelWarn, "the server sent its notifications in the wrong order; one was dropped"},
	"N04":  {slog.LevelWarn, "a log message of the server was dropped: it is full of control characters"},
	"T148": {slog.LevelDebug, "a notification of the client that the bridge does not carry was dropped"},
}
