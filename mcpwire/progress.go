package mcpwire

import (
	"math"
	"strconv"
	"time"

	"golang.org/x/time/rate"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// progressRate is how many notifications of progress of one request reach the
// front in a second, and at once (T142).
const progressRate = 50

// progress is what a slot knows of the progress of its request.
type progress struct {
	token []byte  // raw token of the front; empty if it wants no progress
	last  float64 // the value that was sent, or is held
	any   bool    // there was one
	rate  *rate.Limiter
	held  []byte // the newest notification over the rate
}

// onProgress implements T140 to T143 for a notification of the upstream, whose
// token is the id of the request.
func (p *legacyOverModern) onProgress(now time.Time, m *jsonrpc.Message, out *Steps) {
	n, ok := m.Int(m.Member(int(memProgressToken)).Value)
	var s *slot
	if ok && n > 0 && n <= math.MaxUint32 {
		s = p.core.table.ofUpstream(Exchange(n))
	}
	at := m.Member(int(memProgress)).Value
	value, valid := number(m, at)
	if s == nil || s.phase != phaseWaiting || len(s.progress.token) == 0 || !valid || s.progress.any && value <= s.progress.last {
		out.log(Event{Kind: EventDropped, Rule: "T140"})
		return
	}
	g := &s.progress
	g.last, g.any = value, true
	if g.rate == nil {
		g.rate = rate.NewLimiter(progressRate, progressRate)
	}
	start := len(out.buf)
	out.buf = g.appendTo(out.buf, m, at)
	if g.rate.AllowN(now, 1) {
		g.held = g.held[:0]
		out.ToFront = append(out.ToFront, Frame{Lit: out.literal(start)})
		return
	}
	if len(g.held) == 0 {
		out.Arm = append(out.Arm, Timer{TimerID{TimerProgress, uint32(s.upstream)}, now.Add(time.Second / progressRate)})
	}
	g.held = append(g.held[:0], out.buf[start:]...)
	out.buf = out.buf[:start]
}

// appendTo appends the notification for the front.
func (g *progress) appendTo(b []byte, m *jsonrpc.Message, value jsonrpc.Span) []byte {
	b = append(append(b, head+`,"method":"`+methodProgress+`","params":{"`+keyProgressToken+`":`...), g.token...)
	b = m.AppendSpan(append(b, `,"progress":`...), value)
	if total := m.Member(int(memTotal)).Value; !total.IsZero() {
		if _, ok := number(m, total); ok {
			b = m.AppendSpan(append(b, `,"total":`...), total)
		}
	}
	if text := m.Member(int(memMessage)).Value; m.First(text) == '"' {
		b = m.AppendSpan(append(b, `,"message":`...), text)
	}
	return append(b, `}}`...)
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

// number reads a finite number.
func number(m *jsonrpc.Message, s jsonrpc.Span) (float64, bool) {
	if c := m.First(s); c != '-' && (c < '0' || c > '9') || s.Len() > maxMetaKey {
		return 0, false
	}
	v, err := strconv.ParseFloat(string(m.AppendSpan(nil, s)), 64)
	return v, err == nil && !math.IsInf(v, 0)
}
