package mcpwire

import (
	"strconv"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// launch sends the request of s, or first what it takes to know its headers.
func (p *legacyOverModern) launch(now time.Time, s *slot, m *jsonrpc.Message, kept *params, meta *frontMeta, out *Steps) {
	if p.core.overHTTP() {
		if !p.named(now, s, m, out) {
			return
		}
		s.phase = phaseWaiting
	}
	p.forward(s, m, kept, meta, out)
	p.core.limit(now, s, p.core.options.Limits.of(s.method, s.rounds.count), out)
}

// forward writes the request of s upstream: the members that T50 keeps, as they
// came, in an envelope of the bridge.
func (p *legacyOverModern) forward(s *slot, m *jsonrpc.Message, kept *params, meta *frontMeta, out *Steps) {
	e := out.envelop(m)
	out.buf = append(appendRequest(out.buf, s.upstream, s.method.name), '{')
	for _, k := range kept.members[:kept.n] {
		e.keep(k)
		switch {
		case s.method.paged:
			out.unmark(&e, k.Value)
		case s.method.name == methodReadResource:
			p.readURI(s, &e, k.Value)
		}
	}
	if kept.n > 0 {
		out.buf = append(out.buf, ',')
	}
	out.buf = append(s.rounds.appendTo(out.buf), p.meta...)
	if p.features&featureLogging != 0 {
		out.buf = p.core.appendLevel(out.buf)
	}
	if len(s.progress.token) > 0 { // T140
		out.buf = append(out.buf, `,"`+keyProgressToken+`":`...)
		out.buf = strconv.AppendUint(out.buf, uint64(s.upstream), 10)
	}
	out.buf = appendExtraMeta(out.buf, m, meta, p.core.options.Limits.ExtraMeta)
	out.buf = append(out.buf, `}}}`...)
	f := e.frame(s.upstream)
	f.Admission = s.admission
	if p.core.overHTTP() {
		f.Headers = append(s.headers(m), s.params...)
	}
	out.ToUpstream = append(out.ToUpstream, f)
}
