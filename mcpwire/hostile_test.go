package mcpwire

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

var (
	hostileSessions = flag.Int("hostile", 400, "how many sessions TestHostileSession plays")
	hostileSeed     = flag.Uint64("hostile.seed", 1, "seed of the first session of TestHostileSession")
)

// A server that keeps to nothing and a client with moods of its own play sessions in
// which time passes, shapes come back late, and either side goes away. After each
// step of each session, witness and state say what must hold.
//
// A session depends on its seed alone. One that fails prints the command that plays
// it again, which with -v prints all that was said.
func TestHostileSession(t *testing.T) { playHostile(t, Stdio) }

// The same over HTTP, where requests also end by statuses and broken connections.
func TestHostileSessionOverHTTP(t *testing.T) { playHostile(t, HTTP) }

func playHostile(t *testing.T, transport Transport) {
	failed := 0
	var done tally
	for i := range uint64(*hostileSessions) {
		h := newHostile(*hostileSeed+i, transport)
		failure := h.run()
		done.add(h)
		if failure != "" {
			failed++
			t.Errorf("%s\n%s\nplay it again: go test ./mcpwire -run '^%s$' -v -hostile 1 -hostile.seed %d",
				failure, strings.Join(h.script[max(0, len(h.script)-12):], "\n"), t.Name(), h.seed)
		}
		if *hostileSessions == 1 {
			t.Log(strings.Join(h.script, "\n"))
		}
		if failed == 3 {
			return
		}
	}
	done.check(t, *hostileSessions)
	if transport == HTTP && *hostileSessions >= 100 && done.params == 0 {
		t.Error("no argument became a header")
	}
}

// A hostile is one session and the two that play it.
type hostile struct {
	seed     uint64
	maker    maker
	session  *Session
	now      time.Time
	timers   map[TimerID]Timer
	in       [3]hostileSide // by Side
	out      Steps
	witness  witness
	lost     bool // the upstream has gone
	ended    bool // the front has gone
	drained  bool // the session wants nothing more to go upstream
	moves    int
	script   []string
	failures []string

	transport Transport
	exchange  uint32 // over HTTP, whose response the next line of the upstream comes in

	asked map[*Asked]bool // questions of the caller's: whether it waits for the answer
}

// A hostileSide is where the lines of one side come in, as a transport has them: one
// message at a time, and the next one only when the work on it is done. Over HTTP that
// holds for one response, and there are many.
type hostileSide struct {
	reader *jsonrpc.Reader
	stream chunks
	held   []*Shape
}

// chunks is a stream that gives what was put in in pieces of any size.
type chunks struct {
	maker maker
	left  string
}

func (c *chunks) Read(b []byte) (int, error) {
	if c.left == "" {
		return 0, io.EOF
	}
	n := len(c.left)
	if c.maker.in(40) {
		n = 1 + c.maker.IntN(n)
	}
	n = copy(b, c.left[:n])
	c.left = c.left[n:]
	return n, nil
}

func newHostile(seed uint64, transport Transport) *hostile {
	g := maker{rand.New(rand.NewPCG(seed, 0)), 100}
	g.wild = [...]int{5, 20, 100, 300}[g.IntN(4)]
	h := &hostile{seed: seed, transport: transport, maker: g, now: time.Unix(1_800_000_000, 0), timers: map[TimerID]Timer{}, asked: map[*Asked]bool{}, witness: newWitness(), moves: 20 + g.IntN(200)}
	h.session = New(h.options())
	for _, side := range []Side{Front, Upstream} {
		h.in[side].stream.maker = g
		h.in[side].reader = h.newReader(side)
	}
	return h
}

func (h *hostile) newReader(side Side) *jsonrpc.Reader {
	o := &jsonrpc.ReaderOptions{Members: Members(), MaxLine: 80 << 10}
	if side == Upstream {
		o.MaxDepth, o.AllowLoneSurrogates = 512, true
	}
	return jsonrpc.NewReader(&h.in[side].stream, o)
}

// manyReaders reports whether messages of a side come from many readers.
func (h *hostile) manyReaders(side Side) bool { return side == Upstream && h.transport == HTTP }

// options are those of the session: small limits are reached now and then.
func (h *hostile) options() Options {
	g := h.maker
	var seed [32]byte
	o := Options{Transport: h.transport, Eras: ModernEra, Rand: rand.NewChaCha8(seed), Remote: g.in(20)}
	if g.in(50) {
		o.Profile = VSCode
	}
	if g.in(10) {
		o.Rand = failing{}
	}
	if g.in(40) {
		o.Limits = Limits{InFlight: 1 + g.IntN(6), Held: 1 + g.IntN(20_000), Rounds: 1 + g.IntN(3), Inputs: 1 + g.IntN(4),
			InputRate: 1 + g.IntN(3), InputBurst: 1 + g.IntN(4), ProgressBurst: 1, ProgressRate: 2, RequestState: 300}
	}
	return o
}

// run plays the session to its end and returns what was wrong.
func (h *hostile) run() (failure string) {
	defer func() {
		if p := recover(); p != nil {
			failure = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	h.open()
	for i := 0; i < h.moves && len(h.failures) == 0; i++ {
		h.move()
	}
	if len(h.failures) == 0 {
		h.rest()
	}
	return strings.Join(h.failures, "\n")
}

func (h *hostile) fail(format string, args ...any) {
	h.failures = append(h.failures, fmt.Sprintf(format, args...))
}

func (h *hostile) note(op string, text []byte) {
	if len(text) > 400 {
		text = append(text[:400:400], "…"...)
	}
	h.script = append(h.script, op+" "+string(text))
}

// move does one thing.
func (h *hostile) move() {
	if h.transport == HTTP && h.maker.in(4) {
		h.breakOff()
		return
	}
	switch n := h.maker.IntN(1000); {
	case n < 430:
		h.say(Upstream, h.upstreamLine())
	case n < 780:
		h.say(Front, h.frontLine())
	case n < 870:
		h.commit(Upstream)
		h.commit(Front)
	case n < 980:
		h.pass()
	case n < 990:
		h.session.Waiting(h.maker.IntN(30_000) * h.maker.IntN(2))
	case n < 991 && h.transport == Stdio:
		h.lose()
	case n < 992:
		h.end()
	default:
		h.signIn()
	}
}

// say has a line come in from a side, unless the side has gone or the work on its
// last line is not done.
func (h *hostile) say(side Side, line string) {
	in := &h.in[side]
	if line == "" || len(in.held) > 0 && !h.manyReaders(side) || side == Front && h.ended || side == Upstream && h.lost {
		return
	}
	ex := h.responseOf(side)
	h.note([...]string{"", "F>", "U>"}[side]+h.numbered(ex), []byte(line))
	in.stream.left += line + "\n"
	if h.manyReaders(side) {
		in.reader = h.newReader(side)
	}
	m, err := in.reader.Read()
	bad, isLine := errors.AsType[*jsonrpc.LineError](err)
	if err != nil && !isLine {
		h.fail("read %q: %v", line, err)
		return
	}
	h.enter(side, func(now time.Time, out *Steps) {
		switch {
		case isLine && ex != 0:
			h.witness.badEvent(ex, bad)
			h.session.BadEvent(now, Exchange(ex), bad, out)
		case isLine:
			h.witness.bad(h, side, bad)
			h.session.BadLine(now, side, bad, out)
		case side == Front:
			h.witness.ofFront(h, m, line)
			h.session.FromFront(now, m, out)
		default:
			h.witness.ofUpstream(h, ex, m)
			h.session.FromUpstream(now, Exchange(ex), m, out)
		}
	})
}

// enter calls the session and carries out its steps. side is whose message it is
// about, and zero if it is about none.
func (h *hostile) enter(side Side, call func(now time.Time, out *Steps)) {
	h.out.Reset()
	h.witness.begin()
	call(h.now, &h.out)
	h.carryOut()
	if shape := h.out.Shape; shape != nil {
		if side == 0 {
			h.fail("a shape although no message came")
			return
		}
		h.in[side].held = append(h.in[side].held, shape)
	}
	h.witness.settled(h)
	h.checkState()
	if side != 0 && h.maker.in(60) {
		h.commit(side)
	}
}

func (h *hostile) carryOut() {
	out := &h.out
	for i := range out.Withdraw {
		h.witness.withdrawn(h, &out.Withdraw[i], h.line("W<", &out.Withdraw[i]))
	}
	for i := range out.ToFront {
		h.witness.toFront(h, &out.ToFront[i], h.line("F<", &out.ToFront[i]))
	}
	for i := range out.ToUpstream {
		h.witness.toUpstream(h, &out.ToUpstream[i], h.line("U<", &out.ToUpstream[i]))
	}
	for i := range out.Cancel {
		h.witness.cancelled(h, &out.Cancel[i], h.line("X<", &out.Cancel[i]))
	}
	for _, ex := range out.Close {
		h.note("C<", fmt.Append(nil, ex))
		h.witness.closed(h, ex)
	}
	h.consented(out)
	for _, t := range out.Arm {
		if t.At.Before(h.now) {
			h.fail("timer %v is armed for the past", t.ID)
		}
		h.timers[t.ID] = t
	}
	for _, id := range out.Disarm {
		if slices.ContainsFunc(out.Arm, func(t Timer) bool { return t.ID == id }) {
			h.fail("timer %v is armed and disarmed in one step", id)
		}
		delete(h.timers, id)
	}
	if out.EndUpstream {
		h.drained = true
	}
}

// line returns what a frame writes, which must be one JSON value on one line.
func (h *hostile) line(op string, f *Frame) []byte {
	line := f.AppendTo(nil)
	h.note(op, line)
	if !json.Valid(line) || strings.ContainsAny(string(line), "\r\n") {
		h.fail("not one JSON value on a line: %s", line)
	}
	return line
}

// commit hands a shape back that is held for a side.
func (h *hostile) commit(side Side) {
	held := h.in[side].held
	if len(held) == 0 {
		return
	}
	i := 0
	if len(held) > 1 {
		i = h.maker.IntN(len(held))
	}
	shape := held[i]
	h.note("!", []byte("commit "+[...]string{"", "F", "U"}[side]))
	shape.Run()
	h.in[side].held = slices.Delete(held, i, i+1)
	h.enter(side, func(now time.Time, out *Steps) { h.session.Shaped(now, shape, out) })
}
