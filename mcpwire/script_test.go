package mcpwire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A player plays a script against a session. A script has one line for each
// message or event:
//
//	F> line    the front sends a line
//	F< line    the session writes this line to the front
//	U> line    the upstream sends a line
//	U< line    the session writes this line upstream
//	X< line    the session cancels a request upstream by this line
//	W< line    the session withdraws a request of its own toward the front by this line
//	Q< 1 END   the first question of the caller has ended: accepted, declined, unanswered or abandoned
//	! EVENT    the front's input ends (end), the upstream is lost (lost CAUSE), a timer
//	           fires (fire KIND), time passes (wait DURATION), shapes are kept back from now on (hold), and those
//	           that were are run and handed in (commit); the caller asks (ask URL), takes its first
//	           question back (withdraw 1) or says that it is done with (complete 1)
//
// Over HTTP there are more:
//
//	U> 2 line  the upstream sends a line in the response to the request 2
//	H< headers those of the U< line before it, after the two that every request has
//	A< 3       the admission of the U< line before it
//	C< 2       the session closes the response stream of the request 2
//	! EVENT    the request 2 ends by a cause (failed 2 CAUSE, unsent 2 CAUSE) or a status, after
//	           which the upstream asks for a pause, and with a body (status 2 503 5s line), or
//	           because it was refused and would not be now (again 2 ADMISSION); it waits for a
//	           person (extend 2 DURATION); somebody has signed in (signed in)
//
// What the session writes after each input is compared whole, byte for byte, so a
// line that is missing or too much fails the test.
type player struct {
	t       testing.TB
	session *Session
	now     time.Time
	wrote   []string // "F< …", not yet compared
	log     []Event
	timers  map[TimerID]Timer
	ended   bool // EndUpstream was given
	maxLine int  // of the readers; zero is their default
	hold    bool
	held    []*Shape
	asked   []*Asked // nil for a question that was not put
	asks    int      // times that the session said that the front can be asked, or not
	canAsk  bool     // what it said

	exchange Exchange // whose response stream the line of the upstream comes on
}

func newPlayer(t testing.TB, o Options) *player {
	return &player{t: t, session: New(o), now: time.Unix(1_800_000_000, 0), timers: map[TimerID]Timer{}}
}

// handshake is the opening of a session with every feature that has requests which
// go upstream. There is nothing to listen to.
const handshake = `
F> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"Visual Studio Code","version":"1.140.0"}}}
U< {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}}
U> {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{},"logging":{},"completions":{}},"ttlMs":3600000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"2"}}}}
F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{},"logging":{},"completions":{}},"serverInfo":{"name":"s","version":"2"}}}
F> {"method":"notifications/initialized","jsonrpc":"2.0"}
`

// meta is the _meta member of every request of that session, without its closing
// brace.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"Visual Studio Code","version":"1.140.0"},"io.modelcontextprotocol/clientCapabilities":{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}}`

// opened returns a player whose session is open.
func opened(t testing.TB, o Options) *player {
	t.Helper()
	p := newPlayer(t, o)
	p.play(handshake)
	p.log = nil
	return p
}

// play plays a script. The word META in it stands for the _meta of handshake
// without more members.
func (p *player) play(script string) {
	p.t.Helper()
	script = strings.ReplaceAll(script, "META", meta+"}")
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		op, text, _ := strings.Cut(line, " ")
		switch op {
		case "F<", "U<", "X<", "W<", "Q<", "H<", "A<", "C<":
			p.want(line)
		case "F>", "U>", "!":
			p.silent(line)
			p.input(op, text)
		default:
			p.t.Fatalf("script: %q", line)
		}
	}
	p.silent("end of script")
}

func (p *player) want(line string) {
	p.t.Helper()
	if len(p.wrote) == 0 {
		p.t.Fatalf("nothing written, want\n%s", line)
	}
	if got := p.wrote[0]; got != line {
		p.t.Fatalf("wrote\n%s\nwant\n%s", got, line)
	}
	p.wrote = p.wrote[1:]
}

func (p *player) silent(at string) {
	p.t.Helper()
	if len(p.wrote) > 0 {
		p.t.Fatalf("before %q, wrote more than the script says:\n%s", at, strings.Join(p.wrote, "\n"))
	}
}

func (p *player) input(op, text string) {
	p.t.Helper()
	var out Steps
	switch op {
	case "F>":
		p.line(Front, text, &out)
	case "U>":
		p.upstreamLine(text, &out)
	case "!":
		p.event(text, &out)
	}
	p.carryOut(&out)
}

func (p *player) event(text string, out *Steps) {
	p.t.Helper()
	verb, arg, _ := strings.Cut(text, " ")
	switch verb {
	case "end":
		p.session.End(p.now, out)
	case "lost":
		p.session.Lost(p.now, Cause(arg), out)
	case "fire":
		kind := map[string]TimerKind{"request": TimerRequest, "progress": TimerProgress, "drain": TimerDrain, "listen": TimerListen, "inquiry": TimerInquiry}[arg]
		timer, ok := p.next(kind)
		if !ok {
			p.t.Fatalf("no timer %s is armed", arg)
		}
		p.now = timer.At
		delete(p.timers, timer.ID)
		p.session.Fired(p.now, timer.ID, out)
	case "failed", "forgotten", "unsent", "status":
		p.failure(verb, arg, out)
	case "again":
		number, admission, _ := strings.Cut(arg, " ")
		f := Failure{Status: 401, Sent: true, Again: true, Admission: Admission(p.number(admission))}
		p.session.Failed(p.now, p.number(number), f, out)
	case "extend":
		number, by, _ := strings.Cut(arg, " ")
		d, err := time.ParseDuration(by)
		if err != nil {
			p.t.Fatal(err)
		}
		p.session.Extend(p.number(number), d, out)
	case "signed":
		p.session.SignedIn(p.now, out)
	case "ask", "withdraw", "complete":
		p.consent(verb, arg, out)
	case "wait":
		d, err := time.ParseDuration(arg)
		if err != nil {
			p.t.Fatal(err)
		}
		p.now = p.now.Add(d)
	case "hold":
		p.hold = true
	case "commit":
		p.hold = false
		for _, h := range p.held {
			p.commit(h)
		}
		p.held = nil
	default:
		p.t.Fatalf("script: event %q", text)
	}
}

// next returns the timer of this kind that is due first.
func (p *player) next(kind TimerKind) (first Timer, ok bool) {
	for id, timer := range p.timers {
		if id.Kind == kind && (!ok || timer.At.Before(first.At)) {
			first, ok = timer, true
		}
	}
	return first, ok
}

// line hands one line to the session as a reader of that side would.
func (p *player) line(side Side, text string, out *Steps) {
	p.t.Helper()
	o := &jsonrpc.ReaderOptions{Members: Members(), MaxLine: p.maxLine, Batches: true}
	if side == Upstream {
		o.MaxDepth, o.AllowLoneSurrogates = 512, true
	}
	m, err := jsonrpc.NewReader(strings.NewReader(text+"\n"), o).Read()
	if err != nil {
		e, ok := err.(*jsonrpc.LineError)
		if !ok {
			p.t.Fatal(err)
		}
		if p.exchange != 0 {
			p.session.BadEvent(p.now, p.exchange, e, out)
		} else {
			p.session.BadLine(p.now, side, e, out)
		}
		return
	}
	if side == Front {
		p.session.FromFront(p.now, m, out)
	} else {
		p.session.FromUpstream(p.now, p.exchange, m, out)
	}
}

func (p *player) carryOut(out *Steps) {
	p.t.Helper()
	p.collect("W<", out.Withdraw)
	p.collect("F<", out.ToFront)
	p.collect("U<", out.ToUpstream)
	p.collect("X<", out.Cancel)
	for _, ex := range out.Close {
		p.wrote = append(p.wrote, fmt.Sprintf("C< %d", ex))
	}
	p.collectConsents(out)
	for _, t := range out.Arm {
		p.timers[t.ID] = t
	}
	for _, id := range out.Disarm {
		delete(p.timers, id)
	}
	p.log = append(p.log, out.Log...)
	p.ended = p.ended || out.EndUpstream
	switch h := out.Shape; {
	case h == nil:
	case p.hold:
		p.held = append(p.held, h)
	default:
		p.commit(h)
	}
}

func (p *player) commit(h *Shape) {
	p.t.Helper()
	h.Run()
	var out Steps
	p.session.Shaped(p.now, h, &out)
	p.carryOut(&out)
}

func (p *player) collect(op string, frames []Frame) {
	p.t.Helper()
	for i := range frames {
		line := frames[i].AppendTo(nil)
		if !json.Valid(line) || bytes.ContainsAny(line, "\r\n") {
			p.t.Errorf("wrote a line that is not JSON:\n%s", line)
		}
		p.wrote = append(p.wrote, fmt.Sprintf("%s %s", op, line))
		p.collectHeaders(op, &frames[i], line)
		if a := frames[i].Admission; a != 0 {
			p.wrote = append(p.wrote, fmt.Sprintf("A< %d", a))
		}
	}
}

// logged returns how often the log has an event of this kind and rule, by Count.
func (p *player) logged(kind EventKind, rule string) int {
	n := 0
	for _, e := range p.log {
		if e.Kind == kind && e.Rule == rule {
			n += max(e.Count, 1)
		}
	}
	return n
}

// forwarded returns the methods of the front that go upstream.
func forwarded() map[string]*method {
	all := maps.Clone(methods)
	maps.DeleteFunc(all, func(_ string, md *method) bool { return md.watches })
	return all
}

// A rewriteCase is one answer to tools/call or to another request, before and
// after.
type rewriteCase struct {
	name     string
	from, to string // results; an empty to means invalid_upstream_message
}

// answers plays request, which the front sends under id 7, once for each case and
// compares what the front gets.
func answers(t *testing.T, o Options, request string, cases []rewriteCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			p := opened(t, o)
			p.input("F>", request)
			p.wrote = nil
			p.input("U>", `{"jsonrpc":"2.0","id":2,"result":`+tt.from+`}`)
			if tt.to == "" {
				p.play(`F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server sent a message that is not valid.","data":{"cause":"invalid_upstream_message"}}}`)
				return
			}
			p.play(`F< {"jsonrpc":"2.0","id":7,"result":` + tt.to + `}`)
		})
	}
}

const (
	callTool  = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t"}}`
	listTools = `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`
	readMemo  = `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"memo://one"}}`
	getPrompt = `{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"p"}}`
	// anyParams are parameters that every method takes.
	anyParams  = `{"name":"n","uri":"u:r","ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}}`
	initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"e","version":"1"}}}`
)
