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

// A refusal is what an error of the upstream asks for, beyond being passed on.
type refusal uint8

const (
	refusalOther   refusal = iota
	refusalVersion         // the upstream has refused a revision that it speaks (T17)
	refusalHeaders         // the upstream says that the headers do not fit the body (T198)
	refusalURL             // the editor would open every URL in its data (T93)
)

// rewriteError implements T90: an error of the upstream reaches the front as it is, with
// the front's id, but for those that other rules name.
func (h *answerWork) rewriteError() {
	e := readError(h.m)
	switch {
	case e.codeAt.IsZero() || e.twice:
		h.violation = "T90"
		return
	case h.same && e.code == codeURLElicitation:
		if !h.pagesPass(&e) {
			h.refusal = refusalURL
		}
	case h.same: // what the other codes mean came later
	case e.code == codeUnsupportedVersion && eraOf(h.m, e.member("supported", h.m)) == eraModern:
		h.refusal = refusalVersion
	case e.code == codeHeaderMismatch && h.options.Transport == HTTP:
		h.refusal = refusalHeaders
	case e.code == codeURLElicitation:
		h.refusal = refusalURL
	}
	h.envelope()
	switch {
	case e.message.IsZero():
		h.insert(h.m.Error.Off+1, `"message":"",`)
	case h.m.First(e.message) != '"':
		h.replace(e.message, `""`)
	}
	if !h.same && h.isNotFound(&e) {
		h.replace(e.codeAt, strconv.Itoa(codeResourceNotFound))
	}
	h.sort()
}

// pagesPass implements L8: it reports whether the error may tell the editor to open pages,
// each of which it can be asked to open (T116), and has an id, so that the editor can be
// told of its end.
func (h *answerWork) pagesPass(e *wireError) bool {
	list := e.member("elicitations", h.m)
	if h.m.First(list) != '[' {
		return false
	}
	for w := h.m.Walk(list); w.Next(); {
		var found [3]picked
		if !pickOnce(h.m, w.Skip(), found[:], "mode", "url", "elicitationId") || !h.m.Is(found[0].Value, "url") {
			return false
		}
		url, _ := h.m.String(found[1].Value)
		id, ok := h.m.String(found[2].Value)
		shown, flagged, good := checkURL(url)
		if !ok || !good || len(h.pages) >= h.options.Limits.Inputs {
			return false
		}
		if shown != url {
			h.replace(found[1].Value, string(jsonrpc.AppendQuote(nil, shown)))
		}
		if flagged {
			h.note(EventRepaired, "I14", 1)
		}
		h.pages = append(h.pages, id)
	}
	return len(h.pages) > 0
}

// isNotFound reports whether the error says in the words of 2026-07-28 that the
// resource was not found, and the profile wants those of 2025-11-25: only where
// the error names the uri that was asked for (T90).
func (h *answerWork) isNotFound(e *wireError) bool {
	return !h.options.Profile.ModernNotFound && h.slot.method.name == methodReadResource && e.code == codeInvalidParams &&
		h.m.Is(e.member("uri", h.m), string(h.slot.uri))
}

// answerError takes an error of the upstream that was read.
func (p *legacyOverModern) answerError(now time.Time, s *slot, h *answerWork, out *Steps) {
	c := p.core
	switch {
	case h.violation != "":
		c.violate(now, s, h.violation, out)
		return
	case h.refusal == refusalVersion && p.sendAgain(now, s, out):
		return
	case h.refusal == refusalHeaders && p.refresh(now, s, out):
		return
	case h.refusal == refusalURL:
		c.end(now, s, CauseURLElicitation, out)
		return
	}
	c.lastProgress(s, out)
	out.ToFront = append(out.ToFront, Frame{Msg: h.m, Edits: h.list})
	c.done(now, s, "", out)
}

// sendAgain implements T17 for a request that the upstream refused for its
// revision, although it speaks it: the request goes out once more under a new id.
// It reports false if that was done already, or nothing goes upstream any more.
func (p *legacyOverModern) sendAgain(now time.Time, s *slot, out *Steps) bool {
	if s.again || s.quiet || p.core.ended {
		return false
	}
	s.again = true
	p.retry(now, s, out)
	return true
}
