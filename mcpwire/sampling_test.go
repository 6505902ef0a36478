package mcpwire

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// req: I03
func TestT117(t *testing.T) {
	const (
		hello = `{"role":"user","content":{"type":"text","text":"hello"}}`
		use   = `{"role":"assistant","content":[{"type":"text","text":"let me see"},{"type":"tool_use","id":"1","name":"t","input":{}},{"type":"tool_use","id":"2","name":"t","input":{}}]}`
		both  = `{"role":"user","content":[{"type":"tool_result","toolUseId":"2","content":[]},{"type":"tool_result","toolUseId":"1","content":[]}]}`
		done  = `{"role":"assistant","content":{"type":"text","text":"so"}}`
		one   = `{"role":"assistant","content":{"type":"tool_use","id":"1","name":"t","input":{}}}`
		ofOne = `{"role":"user","content":{"type":"tool_result","toolUseId":"1","content":[]}}`
	)
	ask := func(messages string) string { return `{"messages":[` + messages + `],"maxTokens":100}` }
	with := func(more string) string { return `{"messages":[` + hello + `],"maxTokens":100,` + more + `}` }
	result := func(id string) string {
		return `{"role":"user","content":[{"type":"tool_result","toolUseId":` + id + `,"content":[]}]}`
	}
	for _, tt := range []struct {
		name, params string
		without      bool // what is wanted where the front did not declare tools
		with         bool // and where it did
	}{
		{"a message", ask(hello), true, true},
		{"all that there is", with(`"modelPreferences":{"hints":[]},"systemPrompt":"","includeContext":"thisServer","temperature":0.5,"stopSequences":["x"],"metadata":{},"_meta":{},"x":1`), true, true},
		{"every kind of content", ask(`{"role":"user","content":[{"type":"text"},{"type":"image"},{"type":"audio"}]}`), true, true},
		{"content that is empty", ask(`{"role":"user","content":[]}`), true, true},
		{"an assistant first", ask(done), true, true},
		{"two users in a row", ask(hello + `,` + hello), true, true},
		{"an escape in a role", ask(`{"r\u006fle":"us\u0065r","content":{"type":"t\u0065xt"}}`), true, true},

		{"no params", ``, false, false},
		{"params that are a list", `[]`, false, false},
		{"no messages", `{"maxTokens":1}`, false, false},
		{"messages that are empty", ask(``), false, false},
		{"messages that are an object", `{"messages":{},"maxTokens":1}`, false, false},
		{"messages that are null", `{"messages":null,"maxTokens":1}`, false, false},
		{"messages twice", with(`"messages":[` + hello + `]`), false, false},
		{"a message that is a string", ask(`"hello"`), false, false},
		{"a message without role", ask(`{"content":{"type":"text"}}`), false, false},
		{"a message of the system", ask(`{"role":"system","content":{"type":"text"}}`), false, false},
		{"a role twice", ask(`{"role":"user","role":"user","content":{"type":"text"}}`), false, false},
		{"a message without content", ask(`{"role":"user"}`), false, false},
		{"content that is null", ask(`{"role":"user","content":null}`), false, false},
		{"content that is a string", ask(`{"role":"user","content":"hello"}`), false, false},
		{"content twice", ask(`{"role":"user","content":[],"c\u006fntent":[]}`), false, false},
		{"a block that is a string", ask(`{"role":"user","content":["hello"]}`), false, false},
		{"a block without type", ask(`{"role":"user","content":[{"text":"x"}]}`), false, false},
		{"a block of another type", ask(`{"role":"user","content":{"type":"resource_link"}}`), false, false},
		{"a block that hides its type", ask(`{"role":"user","content":{"type":"text","type":"tool_use","id":"1"}}`), false, false},
		{"a list in a list", ask(`{"role":"user","content":[[]]}`), false, false},
		{"no maxTokens", `{"messages":[` + hello + `]}`, false, false},
		{"maxTokens that is null", `{"messages":[` + hello + `],"maxTokens":null}`, false, false},
		{"maxTokens 0", `{"messages":[` + hello + `],"maxTokens":0}`, false, false},
		{"maxTokens below 0", `{"messages":[` + hello + `],"maxTokens":-1}`, false, false},
		{"maxTokens with a fraction", `{"messages":[` + hello + `],"maxTokens":1.5}`, false, false},
		{"maxTokens in words", `{"messages":[` + hello + `],"maxTokens":"1"}`, false, false},
		{"maxTokens 1", `{"messages":[` + hello + `],"maxTokens":1}`, true, true},
		{"maxTokens with an exponent", `{"messages":[` + hello + `],"maxTokens":1e2}`, true, true},
		{"maxTokens twice", with(`"maxTokens":1`), false, false},
		{"an unknown context", with(`"includeContext":"everything"`), false, false},
		{"a temperature in words", with(`"temperature":"hot"`), false, false},
		{"a prompt that is an object", with(`"systemPrompt":{}`), false, false},
		{"stop sequences of numbers", with(`"stopSequences":[1]`), false, false},
		{"metadata that is a list", with(`"metadata":[]`), false, false},
		{"preferences that are a list", with(`"modelPreferences":[]`), false, false},
		{"optional ones that are null", with(`"systemPrompt":null,"tools":null,"toolChoice":null,"temperature":null`), true, true},
		{"an optional one twice", with(`"systemPrompt":"a","systemPrompt":"b"`), false, false},
		{"null and then not", with(`"tools":null,"tools":[]`), false, false},

		{"tools", with(`"tools":[{"name":"t","inputSchema":{}}]`), false, true},
		{"no tool", with(`"tools":[]`), false, true},
		{"tools that are an object", with(`"tools":{}`), false, false},
		{"a tool that is a string", with(`"tools":["t"]`), false, false},
		{"a choice", with(`"toolChoice":{"mode":"none"}`), false, true},
		{"a choice in words", with(`"toolChoice":"auto"`), false, false},
		{"uses and their results", ask(hello + `,` + use + `,` + both + `,` + done), false, true},
		{"a use and its result", ask(one + `,` + ofOne), false, true},
		{"ids again in a later message", ask(one + `,` + ofOne + `,` + one + `,` + ofOne), false, true},
		{"a use last", ask(hello + `,` + one), false, false},
		{"a use that text follows", ask(one + `,` + hello), false, false},
		{"a use that an assistant follows", ask(one + `,` + done), false, false},
		{"a use without id", ask(`{"role":"assistant","content":{"type":"tool_use"}},` + ofOne), false, false},
		{"a use with a number for id", ask(`{"role":"assistant","content":{"type":"tool_use","id":1}},` + ofOne), false, false},
		{"a use of a user", ask(`{"role":"user","content":{"type":"tool_use","id":"1"}},` + ofOne), false, false},
		{"two uses with one id", ask(`{"role":"assistant","content":[{"type":"tool_use","id":"1"},{"type":"tool_use","id":"1"}]},` + result(`"1"`)), false, false},
		{"a result without a use", ask(hello + `,` + ofOne), false, false},
		{"a result first", ask(ofOne), false, false},
		{"a result of an assistant", ask(one + `,{"role":"assistant","content":{"type":"tool_result","toolUseId":"1"}}`), false, false},
		{"a result for another id", ask(one + `,` + result(`"2"`)), false, false},
		{"a result too few", ask(use + `,` + result(`"1"`)), false, false},
		{"a result too many", ask(one + `,` + both), false, false},
		{"a result twice", ask(use + `,{"role":"user","content":[{"type":"tool_result","toolUseId":"1"},{"type":"tool_result","toolUseId":"1"}]}`), false, false},
		{"a result without id", ask(one + `,{"role":"user","content":{"type":"tool_result"}}`), false, false},
		{"a result and text", ask(one + `,{"role":"user","content":[{"type":"tool_result","toolUseId":"1"},{"type":"text"}]}`), false, false},
		{"a result later", ask(one + `,` + hello + `,` + ofOne), false, false},
		{"a result again", ask(one + `,` + ofOne + `,` + ofOne), false, false},
		{"a use and a result in one", ask(one + `,{"role":"user","content":[{"type":"tool_result","toolUseId":"1"},{"type":"tool_use","id":"2"}]}`), false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, s := valueIn(t, tt.params)
			if got := samples(m, s, canSample); got != tt.without {
				t.Errorf("reading %s without tools = %t, want %t", tt.params, got, tt.without)
			}
			if got := samples(m, s, canSampleTools); got != tt.with {
				t.Errorf("reading %s with tools = %t, want %t", tt.params, got, tt.with)
			}
		})
	}
}

func TestT117Bounds(t *testing.T) {
	for n := maxSamplingBlocks - 1; n <= maxSamplingBlocks+1; n++ {
		var b strings.Builder
		for i := range n / 2 { // half of them in one message
			fmt.Fprintf(&b, `{"role":"user","content":{"type":"text","text":"%d"}},`, i)
		}
		blocks := strings.Repeat(`{"type":"text"},`, n-n/2)
		m, s := valueIn(t, `{"maxTokens":1,"messages":[`+b.String()+`{"role":"user","content":[`+strings.TrimSuffix(blocks, ",")+`]}]}`)
		if got, want := samples(m, s, canSample), n <= maxSamplingBlocks; got != want {
			t.Errorf("reading %d blocks = %t, want %t", n, got, want)
		}
	}
}

// req: I13
func TestT119Sampling(t *testing.T) {
	const message = `[ {"role":"user","content":{"type":"text","text":"a\u0041","_meta":{"x":1},"annotations":{}}} ]`
	for _, tt := range []struct{ name, params, without, with string }{
		{"what must be there", `{"messages":` + message + `,"maxTokens":1e2}`, `{"messages":` + message + `,"maxTokens":1e2}`, ``},
		{"in the order in which it came", `{ "maxTokens" : 1 , "messages" : ` + message + ` }`, `{"maxTokens" : 1,"messages" : ` + message + `}`, ``},
		{"all that may reach the front",
			`{"toolChoice":{"mode":"auto"},"tools":[],"metadata":{"a":{}},"stopSequences":["x"],"maxTokens":9007199254740993,"temperature":0.10,"systemPrompt":"\u0073","modelPreferences":{"z":1},"messages":` + message + `}`,
			`{"toolChoice":{"mode":"auto"},"tools":[],"metadata":{"a":{}},"stopSequences":["x"],"maxTokens":9007199254740993,"temperature":0.10,"systemPrompt":"\u0073","modelPreferences":{"z":1},"messages":` + message + `}`, ``},
		{"what may not", `{"_meta":{"progressToken":1},"task":{"ttl":1},"x":1,"messages":` + message + `,"y":2,"maxTokens":1,"z":3}`, `{"messages":` + message + `,"maxTokens":1}`, ``},
		{"what is null", `{"systemPrompt":null,"messages":` + message + `,"tools":null,"maxTokens":1}`, `{"messages":` + message + `,"maxTokens":1}`, ``},
		{"a context", `{"includeContext":"thisServer","messages":` + message + `,"maxTokens":1}`,
			`{"messages":` + message + `,"maxTokens":1}`, `{"includeContext":"thisServer","messages":` + message + `,"maxTokens":1}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, s := valueIn(t, tt.params)
			if !samples(m, s, canSampleTools) {
				t.Fatalf("reading %s refuses", tt.params)
			}
			if tt.with == "" {
				tt.with = tt.without
			}
			for _, ceiling := range []int{0, math.MaxInt} { // nothing is over these
				if got := sampled(m, s, canSampleTools, ceiling); got != tt.without {
					t.Errorf("without context: %s\nwant %s", got, tt.without)
				}
				if got := sampled(m, s, canSampleTools|canSampleContext, ceiling); got != tt.with {
					t.Errorf("with context: %s\nwant %s", got, tt.with)
				}
			}
		})
	}
}

// A server that asks for more tokens than the ceiling is given the ceiling; what is
// below stays as the server wrote it.
//
// req: I13
func TestI13MaxTokens(t *testing.T) {
	for _, tt := range []struct {
		ceiling     int
		asked, want string
	}{
		{0, `999999999999999999999`, `999999999999999999999`},
		{-1, `999999999999999999999`, `999999999999999999999`},
		{4096, `1`, `1`},
		{4096, `4095`, `4095`},
		{4096, `4096`, `4096`},
		{4096, `4097`, `4096`},
		{4096, `4.095e3`, `4.095e3`},
		{4096, `4096.0`, `4096.0`},
		{4096, `40960E-1`, `40960E-1`},
		{4096, `4.097e3`, `4096`},
		{4096, `1e99999999999999999999`, `4096`},
		{4096, `18446744073709551616`, `4096`},
		{1, `2`, `1`},
	} {
		t.Run(fmt.Sprintf("%s of %d", tt.asked, tt.ceiling), func(t *testing.T) {
			const messages = `"messages":[{"role":"user","content":{"type":"text","text":"?"}}]`
			p := round(t, Options{MaxTokens: tt.ceiling}, `
				U> {V2,"id":2,ASKS"inputRequests":{"m":{"method":"sampling/createMessage","params":{`+messages+`,"maxTokens" : `+tt.asked+`,"metadata":{}}}}}}
				F< {V2,"id":"b-1","method":"sampling/createMessage","params":{`+messages+`,"maxTokens"`+spaced(tt.asked, tt.want)+`,"metadata":{}}}`)
			clamped := 0
			if tt.asked != tt.want {
				clamped = 1
			}
			if got := p.logged(EventRepaired, "I13"); got != clamped {
				t.Errorf("%d events of I13, want %d", got, clamped)
			}
		})
	}
}

// spaced is a value after its name: as it came, or a new one.
func spaced(came, now string) string {
	if came == now {
		return " : " + came
	}
	return ":" + now
}

// What a request is to be told of other servers reaches a front that has declared it,
// and no other.
//
// req: I13
func TestI13IncludeContext(t *testing.T) {
	const messages = `"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":5`
	for declared, want := range map[string]string{
		`{"sampling":{}}`:                         ``,
		`{"sampling":{"tools":{}}}`:               ``,
		`{"sampling":{"context":{}}}`:             `,"includeContext":"allServers"`,
		`{"sampling":{"context":{},"tools":{}}}`:  `,"includeContext":"allServers"`,
		`{"sampling":{"context":true}}`:           ``,
		`{"sampling":{},"context":{"context":1}}`: ``,
	} {
		t.Run(declared, func(t *testing.T) {
			p := newPlayer(t, Options{})
			p.input("F>", strings.Replace(initialize, `"capabilities":{}`, `"capabilities":`+declared, 1))
			p.input("U>", `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`)
			p.input("F>", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			p.input("F>", callTool)
			p.wrote = nil
			p.play(roundWords.Replace(`
				U> {V2,"id":2,ASKS"inputRequests":{"m":{"method":"sampling/createMessage","params":{` + messages + `,"includeContext":"allServers"}}}}}
				F< {V2,"id":"b-1","method":"sampling/createMessage","params":{` + messages + want + `}}`))
		})
	}
}

// samples reports whether the sampling request with the params at s may reach a front
// that can do so much.
func samples(m *jsonrpc.Message, s jsonrpc.Span, can capability) bool {
	r := questioner{m: m, can: can, o: &Options{}, notes: &notes{}, front: revision20251125}
	_, ok := r.readSampling(s)
	return ok
}

// sampled returns the params that reach it.
func sampled(m *jsonrpc.Message, s jsonrpc.Span, can capability, ceiling int) string {
	r := questioner{m: m, can: can, o: &Options{MaxTokens: ceiling}, notes: &notes{}, front: revision20251125}
	found, _ := r.readSampling(s)
	return string(r.appendSampling(nil, found))
}
