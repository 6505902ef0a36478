package mcpwire

import (
	"maps"
	"strconv"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// Methods that only a server that was initialized has.
const (
	methodTaskStatus   = "notifications/tasks/status"
	methodRootsChanged = "notifications/roots/list_changed"
	methodTaskResult   = "tasks/result"
)

// passed are the methods that go to such a server: those of [methods], and what 2026-07-28
// has no counterpart for (L7).
var passed = func() map[string]*method {
	rows := byName(
		method{name: methodSetLevel, feature: featureLogging},
		method{name: "tasks/get", feature: featureTasks},
		method{name: "tasks/cancel", feature: featureTasks},
		method{name: methodTaskResult, feature: featureTasks, term: termCall, shape: (*answerWork).taskResult},
		method{name: "tasks/list", feature: featureTasks, paged: true, shape: (*answerWork).array, array: memTasks, key: "taskId", element: (*answerWork).keyed},
	)
	maps.Copy(rows, methods)
	call := *methods[methodCallTool]
	call.shape = (*answerWork).callResult
	rows[methodCallTool] = &call
	return rows
}()

// callResult is toolResult where a call may become a task (L7), whose result comes later.
func (h *answerWork) callResult() {
	var found [1]picked
	pickOf(h.m, h.top, found[:], "task")
	if h.task = h.m.First(found[0].once()) == '{'; !h.task {
		h.toolResult()
	}
}

// taskResult is toolResult for the result of a task, which is that of a call, but might be
// another one in a later revision.
func (h *answerWork) taskResult() {
	if h.m.First(h.m.Member(int(memContent)).Value) == '[' {
		h.toolResult()
	}
}

// pass writes the request of s upstream as it came, but for its id and what L9 wants of
// its _meta, and with a cursor and a URI as the upstream knows them (T72, W21).
func (p *legacyOverLegacy) pass(s *slot, m *jsonrpc.Message, meta *frontMeta, out *Steps) {
	e := out.edit(m)
	e.id(s.upstream)
	if cursor := m.Member(int(memCursor)).Value; s.method.paged && m.First(cursor) == '"' {
		e.unmark(cursor)
	}
	if uri := m.Member(int(memURI)).Value; (s.method.watches || s.method.name == methodReadResource) && m.First(uri) == '"' {
		if p.core.meant(s, m, uri) {
			start := len(out.buf)
			out.buf = jsonrpc.AppendQuote(out.buf, string(s.uri))
			e.since(uri, start)
		}
	}
	if at := m.Member(int(memMeta)).Value; !at.IsZero() {
		start := len(out.buf)
		out.buf = p.appendMeta(out.buf, s, m, meta)
		e.since(at, start)
	}
	f := e.frame(s.upstream)
	f.Admission = s.admission
	out.ToUpstream = append(out.ToUpstream, p.core.inSession(f))
}

// appendMeta implements L9 for the _meta of a request of the front: what T42 lets through,
// the task that it is about, and for its progress the id upstream (T140).
func (p *legacyOverLegacy) appendMeta(b []byte, s *slot, m *jsonrpc.Message, meta *frontMeta) []byte {
	start := len(b)
	meta.task = p.tasks
	b = appendExtraMeta(b, m, meta, p.core.options.Limits.ExtraMeta)
	if len(s.progress.token) > 0 {
		b = append(b, `,"`+keyProgressToken+`":`...)
		b = strconv.AppendUint(b, uint64(s.upstream), 10)
	}
	if len(b) == start {
		return append(b, "{}"...)
	}
	b[start] = '{' // each has a comma before it
	return append(b, '}')
}

// inSession gives a frame to an older upstream the headers that it has over HTTP (L10):
// from 2025-06-18 on the revision.
func (c *core) inSession(f Frame) Frame {
	if c.overHTTP() && c.front >= revision20250618 {
		f.Headers = versionHeaders[c.front]
	}
	return f
}

var versionHeaders = [...]Headers{
	revision20250618: {{headerVersion, Revision20250618}},
	revision20251125: {{headerVersion, Revision20251125}},
}

// answerUpstream answers the request of an older upstream with the raw id by a result.
func (c *core) answerUpstream(id, result []byte, out *Steps) {
	start := len(out.buf)
	out.buf = append(append(append(append(out.buf, headID...), id...), headResult...), result...)
	out.buf = append(out.buf, '}')
	c.tellUpstream(start, out)
}

// refuseUpstream answers it by an error.
func (c *core) refuseUpstream(id []byte, code int64, text string, out *Steps) {
	start := len(out.buf)
	b := append(append(append(out.buf, headID...), id...), `,"error":{"code":`...)
	b = strconv.AppendInt(b, code, 10)
	out.buf = append(jsonrpc.AppendQuote(append(b, `,"message":`...), text), `}}`...)
	c.tellUpstream(start, out)
}

// tellUpstream sends what was appended to the buffer since start, which is no request. At
// the end there is nobody to tell.
func (c *core) tellUpstream(start int, out *Steps) {
	if c.gone == "" && !c.ended {
		out.ToUpstream = append(out.ToUpstream, c.inSession(Frame{Lit: out.literal(start)}))
	}
}
