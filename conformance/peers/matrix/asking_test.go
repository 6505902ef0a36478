package matrix

import (
	"strings"
	"testing"
)

// asking are the features in which a server asks.
var asking = []feature{
	{name: "form", rows: []string{rowAsk, rowOlderAsk}, has: asks("form", rev20250618), row: olderThan(rev20250618), works: asked("form"), fails: notAsked("form")},
	{name: "url", rows: []string{rowAsk, rowOlderAsk}, has: asks("url", rev20251125), row: olderThan(rev20251125), works: asked("url"), fails: notAsked("url")},
	{name: "sampling", rows: []string{rowAsk}, has: asks("sampling", rev20241105), works: asked("sampling")},
	{name: "roots", rows: []string{rowAsk}, has: asks("roots", rev20241105), works: asked("roots")},
	{name: "choices", rows: []string{rowChoices, rowAsk, rowOlderAsk}, has: asks("choices", rev20251125), row: choicesRow, works: asked("choices"), fails: noChoices},
	{name: "page ends", rows: []string{rowPageEnd}, has: pages, works: pageEnds},
	{name: "page error", rows: []string{rowPageError}, has: pageErrors, works: pageError, fails: documented("page", nil)},
	{name: "anytime", rows: []string{rowAnytime}, has: asksAnytime, works: anytime, fails: neverAnytime},
	{name: "withdrawn", rows: []string{rowServerCancel}, has: withdraws, works: withdrawn, fails: notWithdrawn},
	{name: "tasks of the front", rows: []string{rowFrontTasks}, has: ours, works: frontTasks, fails: noFrontTasks},
}

// asks reports whether a server has a question since a revision.
func asks(kind, since string) func(p *pair) bool {
	return func(p *pair) bool { return p.rev >= since && offers(kind)(p) }
}

// olderThan returns the row of a question that fronts have since a revision.
func olderThan(since string) func(p *pair) string {
	return func(p *pair) string {
		if p.front.rev < since {
			return rowOlderAsk
		}
		return rowAsk
	}
}

func choicesRow(p *pair) string {
	if p.front.rev == rev20250618 {
		return rowChoices
	}
	return olderThan(rev20250618)(p)
}

// questionsFor counts how often the front was asked for something of a kind.
func (p *pair) questionsFor(kind string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.countQuestions(kind)
}

// countQuestions is like questionsFor, for one who holds the lock.
func (p *pair) countQuestions(kind string) (n int) {
	for _, m := range p.asked {
		isURL := at(m.Params, "mode") == "url"
		if m.Method == questions[kind].Method && isURL == (kind == "url") {
			n++
		}
	}
	return n
}

// asked wants the front to be asked once, and the server to have its answer.
func asked(kind string) func(t *testing.T, p *pair) {
	return func(t *testing.T, p *pair) {
		before := p.questionsFor(kind)
		p.use(t, kind)
		n := p.questionsFor(kind)
		if ours(p) && n-before != 1 || n == 0 { // a peer may have asked before, and keep what it was told
			t.Errorf("the front was asked %d times, want once", n-before)
		}
	}
}

// notAsked wants a front that has not declared this not to be asked. Ours tell how the
// request fails: what the server refuses, and what it asks in spite of that.
func notAsked(kind string) func(t *testing.T, p *pair, c cell) {
	return func(t *testing.T, p *pair, c cell) {
		before := p.questionsFor(kind)
		u := p.up.tools[kind]
		m := p.front.call(u.tool, u.arguments)
		switch {
		case p.up.scripted == "": // a peer may ask for nothing, and tell by a result
		case p.rev != rev20260728:
			wantsServerError(t, m, c)
		case !c.documents(m):
			t.Errorf("asked politely: %s, want what the table says: %s", m.brief(), c.text)
		default:
			m = p.front.call(u.tool, object{"kind": kind, "rude": true})
			if !c.documents(m) || m.cause() == "" {
				t.Errorf("asked without being allowed: %s, want what the table says: %s", m.brief(), c.text)
			}
		}
		if n := p.questionsFor(kind) - before; n != 0 {
			t.Errorf("the front was asked %d times", n)
		}
	}
}

// wantsServerError wants the server to have got an error, which it has put into its result.
func wantsServerError(t *testing.T, m message, c cell) {
	t.Helper()
	if !strings.Contains(c.text, "the server gets an error") || !strings.HasPrefix(m.text(), `{"error"`) {
		t.Errorf("the server got %s, want what the table says: %s", m.brief(), c.text)
	}
}

func noChoices(t *testing.T, p *pair, c cell) {
	if c.row == rowOlderAsk {
		notAsked("choices")(t, p, c)
		return
	}
	documented("ask", object{"kind": "choices"})(t, p, c)
}

// documented wants a call to fail as the table says.
func documented(tool string, arguments object) func(t *testing.T, p *pair, c cell) {
	return func(t *testing.T, p *pair, c cell) {
		if m := p.front.call(tool, arguments); !c.documents(m) {
			t.Errorf("call of %s: %s, want what the table says: %s", tool, m.brief(), c.text)
		}
	}
}

func pages(p *pair) bool { return ours(p) && asks("url", rev20251125)(p) && p.front.rev == rev20251125 }

func pageEnds(t *testing.T, p *pair) {
	p.use(t, "url")
	if !p.noted("notifications/elicitation/complete") {
		t.Error("the end of the page was not told")
	}
}

func pageErrors(p *pair) bool {
	return ours(p) && p.rev >= rev20251125 && p.front.rev >= rev20251125 && (!p.modern() || p.rev < rev20260728)
}

func pageError(t *testing.T, p *pair) {
	m := p.front.call("page", nil)
	switch {
	case p.modern():
		if m.text() != "after the page" {
			t.Errorf("call of page: %s, want its result after the page was opened", m.brief())
		}
	case m.Error == nil || m.Error.Code != -32042:
		t.Errorf("call of page: %s, want the error of the server", m.brief())
	}
}

// asksAnytime reports whether the server can write something that belongs to no request.
func asksAnytime(p *pair) bool {
	return ours(p) && !(p.up.http && p.rev == rev20260728) && !(p.modern() && p.rev == rev20260728)
}

// anytime wants what is asked outside of requests to be answered, but for sampling.
func anytime(t *testing.T, p *pair) {
	before := p.questionsFor("sampling")
	for kind, want := range map[string]string{"roots": "workspace", "sampling": `"error"`} {
		p.front.call("ask-later", object{"kind": kind})
		p.request("prompts/list", object{})
		if got := p.outside(kind); !strings.Contains(got, want) {
			t.Errorf("the server gets %s when it asks for %s, want %s", got, kind, want)
		}
	}
	if n := p.questionsFor("sampling") - before; n != 0 {
		t.Errorf("the front was asked for its model %d times", n)
	}
}

// outside waits for what came of a question outside of requests.
func (p *pair) outside(kind string) (got string) {
	p.until(func() bool {
		for _, m := range p.notes {
			if at(m.Params, "logger") == "outside "+kind {
				got, _ = at(m.Params, "data").(string)
			}
		}
		return got != ""
	})
	return got
}

// neverAnytime wants a question outside of requests not to reach the front.
func neverAnytime(t *testing.T, p *pair, c cell) {
	before := p.questionsFor("roots")
	p.front.call("ask-later", object{"kind": "roots"})
	p.request("prompts/list", object{})
	p.use(t, "call")
	if n := p.questionsFor("roots") - before; n != 0 {
		t.Errorf("the front was asked %d times, but the table says: %s", n, c.text)
	}
}

func withdraws(p *pair) bool { return ours(p) && (!p.modern() || p.rev != rev20260728) }

// withdrawn wants a question to be taken back from the front when the server takes it back,
// and the server not to be able to cancel what the front has asked.
func withdrawn(t *testing.T, p *pair) {
	cancelled(t, p)
	if p.modern() {
		return // it is asked in results
	}
	p.note(func() { p.silent = true })
	before := p.questionsFor("roots")
	id := p.send("tools/call", object{"name": "withdraw", "arguments": object{"kind": "roots"}})
	p.until(func() bool { return p.countQuestions("roots") > before })
	p.front.call("take back", nil)
	p.wait(id)
	if !p.noted("notifications/cancelled") || p.questionsFor("roots") != before+1 {
		t.Error("the question was not taken back")
	}
	p.note(func() { p.silent = false })
}

// cancelled wants a call not to be cancelled by the server.
func cancelled(t *testing.T, p *pair) {
	t.Helper()
	if m := p.front.call("cancel", nil); m.text() != "not cancelled" {
		t.Errorf("a call that the server has cancelled: %s", m.brief())
	}
}

func notWithdrawn(t *testing.T, p *pair, c cell) {
	cancelled(t, p)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.notes {
		if m.Method == "notifications/cancelled" {
			t.Errorf("the front gets %s, but the table says: %s", m.brief(), c.text)
		}
	}
}

func frontTasks(t *testing.T, p *pair) {
	if m := p.front.call("client", nil); !strings.Contains(m.text(), "tasks") {
		t.Errorf("the server was told of %s, want tasks", m.brief())
	}
}

func noFrontTasks(t *testing.T, p *pair, c cell) {
	if m := p.front.call("client", nil); !strings.Contains(m.text(), "roots") || strings.Contains(m.text(), "tasks") {
		t.Errorf("the server was told of %s, but the table says: %s", m.brief(), c.text)
	}
}
