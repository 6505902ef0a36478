package mcpwire

import (
	"strconv"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A wireError is what a rule reads of the error object of a response.
type wireError struct {
	code    int64
	codeAt  jsonrpc.Span // absent unless it is an integer
	message jsonrpc.Span // of any type
	data    jsonrpc.Span
	twice   bool // one of them stands twice (W11)
}

func readError(m *jsonrpc.Message) wireError {
	var found [3]picked
	pickOf(m, m.Error, found[:], "code", "message", "data")
	e := wireError{message: found[1].Value, data: found[2].Value, twice: anyTwice(found[:])}
	if n, ok := m.Int(found[0].Value); ok {
		e.code, e.codeAt = n, found[0].Value
	}
	return e
}

// member returns a direct member of data; it is absent if data is not an object.
func (e *wireError) member(name string, m *jsonrpc.Message) jsonrpc.Span {
	var found [1]picked
	pickOf(m, e.data, found[:], name)
	return found[0].once()
}

// answerError implements T90: an error of the upstream reaches the front as it
// is, with the front's id, but for those that other rules name.
func (p *legacyOverModern) answerError(now time.Time, s *slot, m *jsonrpc.Message, out *Steps) {
	c, e := p.core, readError(m)
	switch {
	case e.codeAt.IsZero() || e.twice:
		c.violate(now, s, "T90", out)
		return
	case e.code == codeUnsupportedVersion && eraOf(m, e.member("supported", m)) == eraModern && p.sendAgain(now, s, out):
		return
	case e.code == codeURLElicitation: // T93: the editor would open every URL in its data
		c.end(now, s, CauseURLElicitation, out)
		return
	}
	h := &s.shape
	h.begin(s, m, &c.options, workAnswer)
	h.envelope()
	switch {
	case e.message.IsZero():
		h.insert(m.Error.Off+1, `"message":"",`)
	case m.First(e.message) != '"':
		h.replace(e.message, `""`)
	}
	if c.isNotFound(s, m, &e) {
		h.replace(e.codeAt, strconv.Itoa(codeResourceNotFound))
	}
	h.sort()
	c.lastProgress(s, out)
	out.ToFront = append(out.ToFront, Frame{Msg: m, Edits: h.list})
	c.done(now, s, "", out)
}

// sendAgain implements T17 for a request that the upstream refused for its
// revision, although it speaks it: the request goes out once more under a new id.
// It reports false if that was done already.
func (p *legacyOverModern) sendAgain(now time.Time, s *slot, out *Steps) bool {
	if s.again || s.quiet {
		return false
	}
	s.again = true
	p.retry(now, s, out)
	return true
}

// isNotFound reports whether the error says in the words of 2026-07-28 that the
// resource was not found, and the profile wants those of 2025-11-25: only where
// the error names the uri that was asked for (T90).
func (c *core) isNotFound(s *slot, m *jsonrpc.Message, e *wireError) bool {
	return !c.options.Profile.ModernNotFound && s.method.name == methodReadResource && e.code == codeInvalidParams &&
		m.Is(e.member("uri", m), string(s.uri))
}
