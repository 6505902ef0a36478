package mcpwire

import (
	"math"
	"strconv"
	"time"

	"golang.org/x/time/rate"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// progress is what a slot knows of the progress of its request.
type progress struct {
	token []byte  // raw token of the front; empty if it wants no progress
	last  float64 // the value that was sent, or is held
	any   bool    // there was one
	rate  *rate.Limiter
	held  []byte // the newest notification over the rate (T142)
}

// onProgress implements T140, T141, T142 and T143 for a notification of the upstream,
// whose token is the id of the request.
func (c *core) onProgress(now time.Time, ex Exchange, m *jsonrpc.Message, out *Steps) {
	var found [4]picked
	pick(m, found[:], keyProgressToken, "progress", "total", "message")
	s := c.watched(ex, m, found[0].Value)
	value, valid := number(m, found[1].Value)
	if s == nil || !valid || anyTwice(found[:]) || s.progress.any && value <= s.progress.last {
		out.log(Event{Kind: EventDropped, Rule: "T140"})
		return
	}
	g, l := &s.progress, &c.options.Limits
	g.last, g.any = value, true
	if g.rate == nil {
		g.rate = rate.NewLimiter(rate.Limit(l.ProgressRate), l.ProgressBurst)
	}
	if c.front < revision20250326 { // O1
		found[3] = picked{}
	}
	start := len(out.buf)
	out.buf = g.appendTo(out.buf, m, found[1:])
	if g.rate.AllowN(now, 1) {
		g.forget(s.upstream, out)
		out.ToFront = append(out.ToFront, Frame{Lit: out.literal(start)})
		return
	}
	if len(g.held) == 0 {
		out.arm(Timer{TimerID{TimerProgress, uint32(s.upstream)}, now.Add(time.Second / time.Duration(l.ProgressRate))})
	}
	g.held = append(g.held[:0], out.buf[start:]...)
	out.buf = out.buf[:start]
}

// watched returns the slot whose request has this token upstream and whose front
// wants progress, or nil. Over HTTP progress comes with the request that it is about
// (T143); ex is zero on stdio.
func (c *core) watched(ex Exchange, m *jsonrpc.Message, token jsonrpc.Span) *slot {
	of := exchangeAt(m, token)
	if ex != 0 && ex != of {
		return nil
	}
	s := c.table.ofUpstream(of)
	if s == nil || s.phase != phaseWaiting || s.quiet || len(s.progress.token) == 0 || s.listing != nil {
		return nil
	}
	return s
}

// maxProgressText is the longest message of progress that reaches the front, in
// bytes; a longer one is left out.
const maxProgressText = 4 << 10

// appendTo appends the notification for the front: found are the members progress,
// total and message.
func (g *progress) appendTo(b []byte, m *jsonrpc.Message, found []picked) []byte {
	b = append(append(appendNotification(b, methodProgress), `"`+keyProgressToken+`":`...), g.token...)
	b = m.AppendSpan(append(b, `,"progress":`...), found[0].Value)
	if _, ok := number(m, found[1].Value); ok {
		b = m.AppendSpan(append(b, `,"total":`...), found[1].Value)
	}
	if text := found[2].Value; m.First(text) == '"' && text.Len() <= maxProgressText {
		b = m.AppendSpan(append(b, `,"message":`...), text)
	}
	return append(b, `}}`...)
}

// forget drops what is held back for the request ex, and its timer.
func (g *progress) forget(ex Exchange, out *Steps) {
	if len(g.held) > 0 {
		g.held = g.held[:0]
		out.disarm(TimerID{TimerProgress, uint32(ex)})
	}
}

// release writes the notification that was held back, if there is one. It comes
// before the answer to the request (W14).
func (g *progress) release(out *Steps) {
	if len(g.held) > 0 {
		start := len(out.buf)
		out.buf = append(out.buf, g.held...)
		g.held = g.held[:0]
		out.ToFront = append(out.ToFront, Frame{Lit: out.literal(start)})
	}
}

// maxNumber is the longest number of progress that is read, in bytes.
const maxNumber = 256

// number reads a finite number.
func number(m *jsonrpc.Message, s jsonrpc.Span) (float64, bool) {
	if !isNumber(m, s) || s.Len() > maxNumber {
		return 0, false
	}
	v, err := strconv.ParseFloat(string(m.AppendSpan(nil, s)), 64)
	return v, err == nil && !math.IsInf(v, 0)
}
