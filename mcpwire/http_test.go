package mcpwire

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// openedHTTP returns a player whose session is open over HTTP; the newest request is 1.
func openedHTTP(t testing.TB, o Options, capabilities string) *player {
	t.Helper()
	o.Transport = HTTP
	p := newPlayer(t, o)
	p.play(`
		F> ` + initialize + `
		U< {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"e","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}
		U> 1 {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{` + capabilities + `}}}
		F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{` + capabilities + `},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}
		C< 1
		F> {"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.log = nil
	return p
}

// metaHTTP is the _meta member of every request of that session.
const metaHTTP = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"e","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// overHTTP plays a script over HTTP in which METAHTTP stands for that.
func (p *player) overHTTP(script string) {
	p.t.Helper()
	p.play(strings.ReplaceAll(script, "METAHTTP", metaHTTP))
}

// upstreamLine hands a line of the upstream to the session: over HTTP, one on the
// response stream whose number stands before it.
func (p *player) upstreamLine(text string, out *Steps) {
	p.t.Helper()
	if p.session.core.overHTTP() {
		number, line, _ := strings.Cut(text, " ")
		p.exchange, text = p.number(number), line
		defer func() { p.exchange = 0 }()
	}
	p.line(Upstream, text, out)
}

// on says that a line comes on the response stream of ex, where there are any.
func (p *player) on(ex int) string {
	if p.session.core.overHTTP() {
		return fmt.Sprintf("%d ", ex)
	}
	return ""
}

func (p *player) number(text string) Exchange {
	p.t.Helper()
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		p.t.Fatal(err)
	}
	return Exchange(n)
}

// failure tells the session how a request has ended.
func (p *player) failure(verb, arg string, out *Steps) {
	p.t.Helper()
	number, rest, _ := strings.Cut(arg, " ")
	f := Failure{Sent: verb != "unsent", InSession: verb == "forgotten"}
	if verb == "forgotten" {
		f.Status = statusNotFound
		p.session.Failed(p.now, p.number(number), f, out)
		return
	}
	if verb != "status" {
		f.Cause = Cause(rest)
		p.session.Failed(p.now, p.number(number), f, out)
		return
	}
	status, rest, _ := strings.Cut(rest, " ")
	f.Status = int(p.number(status))
	wait, body, _ := strings.Cut(rest, " ")
	if d, err := time.ParseDuration(wait); err == nil {
		f.RetryAfter, rest = d, body
	}
	if rest != "" {
		f.Message = parse(p.t, rest)
	}
	p.session.Failed(p.now, p.number(number), f, out)
}

// collectHeaders checks the headers that every request over HTTP has, against its body
// (T195, T196), and notes the others.
func (p *player) collectHeaders(op string, f *Frame, line []byte) {
	p.t.Helper()
	if !p.session.core.overHTTP() || op != "U<" {
		if f.Headers != nil {
			p.t.Errorf("%s has headers %v", op, f.Headers)
		}
		return
	}
	if p.session.core.legacy || f.Opens {
		p.legacyHeaders(f)
		return
	}
	var body struct {
		ID     Exchange
		Method string
		Params struct {
			Meta map[string]any `json:"_meta"`
		}
	}
	if err := json.Unmarshal(line, &body); err != nil {
		p.t.Error(err)
	}
	version, _ := body.Params.Meta[keyProtocolVersion].(string)
	want := fmt.Sprint(Headers{{"MCP-Protocol-Version", version}, {"Mcp-Method", body.Method}})
	if got := fmt.Sprint(f.Headers[:2]); got != want || f.Exchange != body.ID || f.Exchange == 0 {
		p.t.Errorf("headers %s of exchange %d, want %s of %d", got, f.Exchange, want, body.ID)
	}
	var rest []string
	for _, h := range f.Headers[2:] {
		rest = append(rest, h.Name+": "+h.Value)
	}
	if len(rest) > 0 {
		p.wrote = append(p.wrote, "H< "+strings.Join(rest, ", "))
	}
}

// legacyHeaders checks the headers of a message to a server that is initialized (L10).
func (p *player) legacyHeaders(f *Frame) {
	p.t.Helper()
	var want Headers
	if front := p.session.core.front; front >= revision20250618 && !f.Opens {
		want = Headers{{"MCP-Protocol-Version", front.String()}}
	}
	if got := fmt.Sprint(f.Headers); got != fmt.Sprint(want) {
		p.t.Errorf("headers %v, want %v", got, want)
	}
}

// T190: over HTTP a request is one POST, and nothing else goes upstream.
func TestT190(t *testing.T) {
	const capabilities = `"tools":{},"resources":{},"prompts":{}`
	for _, tt := range []struct{ name, script string }{
		{"a prompt", `
			F> {"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"p"}}
			U< {"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"p",METAHTTP}}
			H< Mcp-Name: p
			U> 2 {"jsonrpc":"2.0","id":2,"result":{"messages":[]}}
			C< 2
			F< {"jsonrpc":"2.0","id":7,"result":{"messages":[]}}`},
		{"cancelled", `
			F> {"jsonrpc":"2.0","id":7,"method":"resources/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{METAHTTP}}
			F> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"x"}}
			C< 2
			U> 2 {"jsonrpc":"2.0","id":2,"result":{"resources":[]}}
			! failed 2 upstream_closed`},
		{"in vain", `
			F> {"jsonrpc":"2.0","id":7,"method":"resources/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{METAHTTP}}
			! fire request
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server did not answer in time.","data":{"cause":"timeout"}}}
			C< 2`},
		{"notifications of the front", `
			F> {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
			F> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`},
		{"at the end", `
			F> {"jsonrpc":"2.0","id":7,"method":"resources/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{METAHTTP}}
			! end
			! fire drain
			C< 2`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := openedHTTP(t, Options{}, capabilities)
			p.overHTTP(tt.script)
			if n := p.session.core.table.used(); n != 0 || len(p.timers) != 0 {
				t.Errorf("%d slots and timers %v are left", n, p.timers)
			}
		})
	}
}
