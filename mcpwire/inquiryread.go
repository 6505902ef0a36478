package mcpwire

import (
	"crypto/sha256"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// An inquiryWork reads a request of an upstream.
type inquiryWork struct {
	notes
	m       *jsonrpc.Message
	can     capability
	options *Options
	inquiry *inquiry
	passes  bool
}

func (w *inquiryWork) long() bool { return w.m.Len() > maxInside }

// run implements T115 to T118 for the request, and keeps of it what T119 does and its
// _meta.
func (w *inquiryWork) run() {
	q := w.inquiry
	r := questioner{m: w.m, can: w.can, o: w.options, notes: &w.notes, front: newestLegacy}
	if w.passes = r.ask(&q.question, w.m.Method, w.m.Params); !w.passes {
		return
	}
	meta := w.m.Member(int(memMeta)).Value
	if q.kind == askURL {
		w.passes = w.identify()
	}
	if len(q.params) == 0 || w.m.First(meta) != '{' || meta.Len() > w.options.Limits.ExtraMeta {
		return
	}
	q.token = w.m.AppendSpan(nil, progressTokenIn(w.m, meta))
	q.params = appendMember(q.params, "_meta", askedMeta(w.m, meta))
}

// identify takes the id that a page has.
func (w *inquiryWork) identify() bool {
	var found [1]picked
	pick(w.m, found[:], "elicitationId")
	at := found[0].once()
	text, ok := w.m.String(at)
	if !ok || len(text) > maxElicitationURL {
		return false
	}
	w.inquiry.id = text
	if w.inquiry.answer == nil {
		w.inquiry.params = appendMember(w.inquiry.params, "elicitationId", w.m.AppendSpan(nil, at))
	}
	return true
}

// progressTokenIn returns the progress token in the _meta at s, if it is one.
func progressTokenIn(m *jsonrpc.Message, s jsonrpc.Span) jsonrpc.Span {
	var found [1]picked
	pickOf(m, s, found[:], keyProgressToken)
	if at := found[0].once(); isToken(m, at) {
		return at
	}
	return jsonrpc.Span{}
}

// askedMeta returns the _meta at s without what belongs to another hop (T44). The progress
// token stays: it is the upstream's own.
func askedMeta(m *jsonrpc.Message, s jsonrpc.Span) []byte {
	b := appendKeptMeta([]byte{'{'}, m, s)
	if at := progressTokenIn(m, s); !at.IsZero() {
		b = appendMember(b, keyProgressToken, m.AppendSpan(nil, at))
	}
	return append(b, '}')
}

// pages are ids of pages, by their digests.
type pages map[subject]bool

func (p pages) add(id string) {
	if len(p) < maxExpected {
		p[sha256.Sum256([]byte(id))] = true
	}
}

// take reports whether the id is one of these, and forgets it.
func (p pages) take(id string) bool {
	key := subject(sha256.Sum256([]byte(id)))
	known := p[key]
	delete(p, key)
	return known
}
