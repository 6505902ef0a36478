package mcpwire

import (
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A toolListing is the session's own reading of the list of tools, by the call that
// needs it, page by page and in its slot (T199). One call reads at a time; others wait.
type toolListing struct {
	pages  int
	clears int       // of the index, when it began
	until  time.Time // see [Limits.List]
}

// named finds the headers of the request m of s over HTTP. It reports false if the
// request does not go out now: the list of tools is read first, or it was answered.
func (p *legacyOverModern) named(now time.Time, s *slot, m *jsonrpc.Message, out *Steps) bool {
	c, limit := p.core, p.core.options.Limits.Headers
	s.params, s.phase = nil, phaseIndexing
	if s.method.named == 0 {
		return true
	}
	name, short := nameOf(m, s.method, limit)
	if !short {
		c.end(now, s, CauseInvalidParams, out)
		return false
	}
	t, known := c.index.find(name)
	switch {
	case s.method.name != methodCallTool:
		return true
	case !known && !s.looked:
		p.look(now, s, out)
		return false
	case t == nil:
		return true
	}
	var ok bool
	s.params, ok = paramHeaders(m, t.params, limit-len(name))
	if t.invalid || !ok {
		c.end(now, s, CauseInvalidParams, out)
		return false
	}
	return true
}

// nameOf returns what the request m is about, and reports whether that is short enough for
// a header.
func nameOf(m *jsonrpc.Message, md *method, limit int) (name []byte, short bool) {
	at := m.Member(int(md.named)).Value
	if isLonger(at.Len(), limit+1) { // one more for the quotes
		return nil, false
	}
	name, _ = m.AppendString(nil, at)
	return name, len(name) <= limit
}

// look has the list of tools read for the call of s, which goes out after that.
func (p *legacyOverModern) look(now time.Time, s *slot, out *Steps) {
	c := p.core
	if c.index.lister != nil {
		c.limit(now, s, c.options.Limits.List, out)
		return
	}
	c.index.lister = s
	s.listing = &toolListing{clears: c.index.clears, until: now.Add(c.options.Limits.List)}
	p.askPage(now, s, nil, out)
}

// askPage asks for a page of the list of tools; cursor is raw, and absent for the first.
func (p *legacyOverModern) askPage(now time.Time, s *slot, cursor []byte, out *Steps) {
	s.listing.pages++
	s.phase, s.started = phaseWaiting, now
	start := len(out.buf)
	out.buf = append(appendRequest(out.buf, s.upstream, methodListTools), '{')
	if len(cursor) > 0 {
		out.buf = append(append(append(out.buf, `"cursor":`...), cursor...), ',')
	}
	out.buf = append(append(out.buf, p.meta...), `}}}`...)
	p.core.send(Frame{Exchange: s.upstream, Lit: out.literal(start), Admission: s.admission}, methodListTools, out)
	p.core.limit(now, s, s.listing.until.Sub(now), out)
}

// pageCame takes the answer to askPage. An error, or a list that is none, is the end of
// the reading: the call goes out without what is not known.
func (p *legacyOverModern) pageCame(now time.Time, s *slot, m *jsonrpc.Message, out *Steps) {
	c := p.core
	if !m.Error.IsZero() || m.First(m.Result) != '{' || !isComplete(m) {
		p.listed(now, s, CauseInvalidUpstreamMessage, out)
		return
	}
	c.untimed(s, out)
	p.work(now, s, &pageWork{m: m, limits: &c.options.Limits}, phaseAnswering, out)
}

// pageRead takes a page that was read.
func (p *legacyOverModern) pageRead(now time.Time, s *slot, w *pageWork, out *Steps) {
	c := p.core
	c.index.addAll(w.tools.tools, &c.options.Limits)
	switch {
	case !w.whole:
		p.listed(now, s, CauseInvalidUpstreamMessage, out)
	case len(w.cursor) == 0, s.listing.pages >= c.options.Limits.ToolPages:
		p.listed(now, s, "", out)
	case !now.Before(s.listing.until):
		p.listed(now, s, CauseTimeout, out)
	default:
		c.tellListing(now, s, "", out)
		c.renew(s, out)
		p.askPage(now, s, w.cursor, out)
	}
}

// listed ends the reading of the list by s, whose call goes out now. outcome is the cause
// if the list could not be read: then this call, and those that wait, go without what is
// not known.
func (p *legacyOverModern) listed(now time.Time, s *slot, outcome Cause, out *Steps) {
	c := p.core
	c.tellListing(now, s, outcome, out)
	if outcome == "" && c.index.clears == s.listing.clears {
		c.index.whole = true
	}
	s.listing, s.looked = nil, true
	c.wakeCalls(now, outcome != "", out)
	p.retry(now, s, out)
}

// tellListing logs the end of an exchange about the list.
func (c *core) tellListing(now time.Time, s *slot, outcome Cause, out *Steps) {
	out.log(Event{Kind: EventExchange, Method: methodListTools, Round: 1, Cause: outcome, Took: now.Sub(s.started)})
}

// wakeCalls says that nobody reads the list any more: the calls that wait for that go
// on, each in a step of its own, and do not try themselves if it was in vain.
func (c *core) wakeCalls(now time.Time, inVain bool, out *Steps) {
	c.index.lister = nil
	c.table.each(func(s *slot) {
		if s.phase == phaseIndexing {
			s.looked = inVain
			c.limit(now, s, 0, out)
		}
	})
}

// refresh implements T198 for a call that the upstream refused for its headers, which it
// does before it runs anything: the list is read again, and the call goes out once more
// under a new id. It reports false if that was done already, or for another request, whose
// headers do not depend on a list.
func (p *legacyOverModern) refresh(now time.Time, s *slot, out *Steps) bool {
	c := p.core
	if s.refresh || s.quiet || c.ended || s.method.name != methodCallTool {
		return false
	}
	s.refresh, s.looked = true, false
	c.index.clear()
	p.retry(now, s, out)
	return true
}

// A pageWork reads a page of the list of tools for the index.
type pageWork struct {
	m      *jsonrpc.Message
	limits *Limits
	tools  listedTools
	cursor []byte // raw, of the next page; absent if there is none
	whole  bool   // the page is one, and what it says of the next one, too
}

func (w *pageWork) long() bool { return true }

func (w *pageWork) run() {
	list := w.m.Member(int(memTools)).Value
	if w.m.First(list) != '[' {
		return
	}
	for at := w.m.Walk(list); at.Next(); {
		if at.First() == '{' {
			t := readTool(w.m, at, w.limits)
			w.tools.note(&t, w.limits)
		}
	}
	next := w.m.Member(int(memNextCursor)).Value
	w.whole = next.Len() <= w.limits.Cursor
	if w.whole && w.m.First(next) == '"' {
		w.cursor = w.m.AppendSpan(nil, next)
	}
}
