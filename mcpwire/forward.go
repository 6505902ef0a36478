package mcpwire

import "github.com/trestle-mcp/trestle/jsonrpc"

// forward writes the request of s upstream: the members that T50 keeps, as they
// came, in an envelope of the bridge. Only the envelope is written anew, so a
// large argument is never copied.
func (p *legacyOverModern) forward(s *slot, m *jsonrpc.Message, kept params, out *Steps) {
	edits, from, start := len(out.edits), 0, len(out.buf)
	out.buf = append(appendRequest(out.buf, s.upstream, s.method.name), '{')
	for _, k := range kept.members[:kept.n] {
		out.edits = append(out.edits, jsonrpc.Edit{Off: from, Cut: k.Name.Off - from, Insert: out.literal(start)})
		if s.method.paged {
			out.unmark(m, k.Value)
		}
		from, start = k.Value.End, len(out.buf)
		out.buf = append(out.buf, ',')
	}
	out.buf = append(out.buf, p.meta...)
	out.buf = appendExtraMeta(out.buf, m, m.Member(int(memMeta)).Value, p.core.options.Limits.ExtraMeta)
	out.buf = append(out.buf, `}}}`...)
	f := Frame{Exchange: s.upstream, Lit: out.literal(start)}
	if kept.n > 0 {
		out.edits = append(out.edits, jsonrpc.Edit{Off: from, Cut: m.Len() - from, Insert: f.Lit})
		f = Frame{Exchange: s.upstream, Msg: m, Edits: out.edits[edits:len(out.edits):len(out.edits)]}
	}
	out.ToUpstream = append(out.ToUpstream, f)
}
