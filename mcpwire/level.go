package mcpwire

import (
	"slices"
	"time"

	"golang.org/x/time/rate"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// levels are the names of the log levels (RFC 5424), the least severe first.
var levels = [...]string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// A level is a place in levels plus one; zero is none.
type level int

// levelAt reads the level at s; it is zero for anything else.
func levelAt(m *jsonrpc.Message, s jsonrpc.Span) level {
	return level(slices.IndexFunc(levels[:], func(l string) bool { return m.Is(s, l) }) + 1)
}

// setLevel answers logging/setLevel (T146): the level holds for the messages of
// requests in flight too, and later requests carry it (T43).
func (c *core) setLevel(m *jsonrpc.Message, out *Steps) {
	var found [1]picked
	pick(m, found[:], "level")
	l := levelAt(m, found[0].Value)
	if l == 0 || found[0].twice {
		c.refuse(out, CauseInvalidParams)
		return
	}
	c.level = l
	out.result(c.id, "{}")
}

// noteLevel takes note of a level that goes to an older upstream (L7): it holds at once.
func (c *core) noteLevel(m *jsonrpc.Message) {
	var found [1]picked
	pick(m, found[:], "level")
	if l := levelAt(m, found[0].once()); l != 0 {
		c.level = l
	}
}

// appendLevel implements T43: the level of the front, once it has set one.
func (c *core) appendLevel(b []byte) []byte {
	if c.level == 0 {
		return b
	}
	b = append(b, `,"`+keyLogLevel+`":"`...)
	return append(append(b, levels[c.level-1]...), '"')
}

// logMessage implements T145 for an upstream that sends no message before it is asked to.
func (p *legacyOverModern) logMessage(now time.Time, m *jsonrpc.Message, out *Steps) {
	if p.features&featureLogging == 0 || p.core.level == 0 {
		out.log(Event{Kind: EventDropped, Rule: "T145"})
		return
	}
	p.core.logMessage(now, m, p.logs, out)
}

// logMessage implements T145: a message of the server's log reaches the front if
// that is not below the level that the front wants, within the rate of logs (N04), without
// members that the front does not know.
func (c *core) logMessage(now time.Time, m *jsonrpc.Message, logs *rate.Limiter, out *Steps) {
	var found [3]picked
	pick(m, found[:], "level", "data", "logger")
	at, data, logger := found[0].Member, found[1].Member, found[2].Member
	l := levelAt(m, at.Value)
	switch {
	case l == 0, l < c.level, data.IsZero(), anyTwice(found[:]),
		!logger.IsZero() && m.First(logger.Value) != '"', !logs.AllowN(now, 1):
		out.log(Event{Kind: EventDropped, Rule: "T145"})
		return
	}
	e := out.envelop(m)
	out.buf = appendNotification(out.buf, methodMessage)
	for _, k := range inOrder(at, data, logger) {
		e.keep(k)
		if !e.escapeControls(k.Value) {
			out.log(Event{Kind: EventDropped, Rule: "N04"})
			return
		}
	}
	out.appendNotificationMeta(m, e.kept)
	out.buf = append(out.buf, `}}`...)
	out.ToFront = append(out.ToFront, e.frame(0))
}

// inOrder returns the members that are there, in the order in which they stand.
func inOrder(members ...jsonrpc.Member) []jsonrpc.Member {
	members = slices.DeleteFunc(members, jsonrpc.Member.IsZero)
	slices.SortFunc(members, func(a, b jsonrpc.Member) int { return a.Name.Off - b.Name.Off })
	return members
}

// appendNotificationMeta appends the _meta of a notification as T44 leaves it.
func (s *Steps) appendNotificationMeta(m *jsonrpc.Message, more bool) {
	meta := m.Member(int(memMeta)).Value
	if m.First(meta) != '{' {
		return
	}
	start := len(s.buf)
	if more {
		s.buf = append(s.buf, ',')
	}
	s.buf = append(s.buf, `"_meta":{`...)
	before := len(s.buf)
	if s.buf = appendKeptMeta(s.buf, m, meta); len(s.buf) == before {
		s.buf = s.buf[:start]
		return
	}
	s.buf = append(s.buf, '}')
}
