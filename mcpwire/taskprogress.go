package mcpwire

import (
	"slices"
	"time"

	"golang.org/x/time/rate"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A call that becomes a task is answered at once, and its progress goes on under the
// token of the call (L7).

// maxTasks bounds the tasks whose progress reaches the front. Of more, the oldest have
// none any more.
const maxTasks = 64

// A runningTask is a call that has become a task.
type runningTask struct {
	ex       Exchange // of the call, which is its token upstream
	progress progress
}

// noteTask keeps what the progress of a task needs of the call of s, which it answers.
func (p *legacyOverLegacy) noteTask(s *slot, h *answerWork) {
	if !h.task || !p.tasks || len(s.progress.token) == 0 || h.violation != "" {
		return
	}
	if len(p.running) == maxTasks {
		p.running = slices.Delete(p.running, 0, 1)
	}
	g := &s.progress
	p.running = append(p.running, runningTask{s.upstream, progress{token: slices.Clone(g.token), last: g.last, any: g.any, rate: g.rate}})
}

// taskProgress passes on progress of a task, within the rate of T142: what is over it is
// dropped, since more will come. It reports false if m is about none.
func (p *legacyOverLegacy) taskProgress(now time.Time, m *jsonrpc.Message, out *Steps) bool {
	var found [4]picked
	pick(m, found[:], keyProgressToken, "progress", "total", "message")
	of := exchangeAt(m, found[0].Value)
	i := slices.IndexFunc(p.running, func(t runningTask) bool { return t.ex == of })
	if i < 0 {
		return false
	}
	g, l := &p.running[i].progress, &p.core.options.Limits
	if g.rate == nil {
		g.rate = rate.NewLimiter(rate.Limit(l.ProgressRate), l.ProgressBurst)
	}
	value, valid := number(m, found[1].Value)
	if !valid || anyTwice(found[:]) || g.any && value <= g.last || !g.rate.AllowN(now, 1) {
		out.log(Event{Kind: EventDropped, Rule: "T140"})
		return true
	}
	g.last, g.any = value, true
	start := len(out.buf)
	out.buf = g.appendTo(out.buf, m, found[1:])
	out.ToFront = append(out.ToFront, Frame{Lit: out.literal(start)})
	return true
}
