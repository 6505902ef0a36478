package mcpwire

import (
	"strings"
	"testing"
)

const complete = `{"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"who","value":"a"},"context":{"arguments":{}}}}`

func TestT50Completion(t *testing.T) {
	invalid := `F< {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"The parameters of the request are not valid.","data":{"cause":"invalid_params"}}}`
	opened(t, Options{}).play(`
		F> ` + complete + `
		U< {"jsonrpc":"2.0","id":2,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"who","value":"a"},"context":{"arguments":{}},META}}`)
	for _, params := range []string{
		`{}`, `{"ref":{"type":"ref/prompt"}}`, `{"argument":{"name":"a","value":"b"}}`,
		`{"ref":{"type":"ref/tool"},"argument":{"name":"a","value":"b"}}`,
		`{"ref":{"type":"ref/prompt","type":"ref/resource"},"argument":{"name":"a","value":"b"}}`,
		`{"ref":"ref/prompt","argument":{"name":"a","value":"b"}}`,
		`{"ref":{"type":"ref/resource","uri":"a:b"},"argument":{"name":"a"}}`,
		`{"ref":{"type":"ref/resource","uri":"a:b"},"argument":{"name":"a","value":7}}`,
		`{"ref":{"type":"ref/resource","uri":"a:b"},"argument":{"name":"a","value":""},"context":7}`,
	} {
		opened(t, Options{}).play(`
			F> {"jsonrpc":"2.0","id":7,"method":"completion/complete","params":` + params + `}
			` + invalid)
	}
}

func TestT78(t *testing.T) {
	values := func(n int) string { return `[` + strings.TrimSuffix(strings.Repeat(`"v",`, n), ",") + `]` }
	answers(t, Options{}, complete, []rewriteCase{
		{"as it is", `{"resultType":"complete","completion":{"values":["a"],"total":1,"hasMore":false}}`, `{"completion":{"values":["a"],"total":1,"hasMore":false}}`},
		{"99", `{"completion":{"values":` + values(99) + `}}`, `{"completion":{"values":` + values(99) + `}}`},
		{"100", `{"completion":{"values":` + values(100) + `}}`, `{"completion":{"values":` + values(100) + `}}`},
		{"101", `{"completion":{"values":` + values(101) + `}}`, `{"completion":{"values":` + values(100) + `,"hasMore":true}}`},
		{"many, and it says no more", `{"completion":{"hasMore":false,"values":` + values(5000) + `,"total":7}}`, `{"completion":{"hasMore":true,"values":` + values(100) + `,"total":7}}`},
		{"values that are no strings", `{"completion":{"values":[7,"a",null,"b",{}]}}`, `{"completion":{"values":["a","b"]}}`},
		{"none is left", `{"completion":{"values":[7]}}`, `{"completion":{"values":[]}}`},
		{"no values", `{"completion":{}}`, ``},
		{"values twice", `{"completion":{"values":[],"values":["a"]}}`, ``},
		{"values is a string", `{"completion":{"values":"a"}}`, ``},
		{"no completion", `{}`, ``},
		{"completion is a list", `{"completion":[]}`, ``},
	})
}

// req: U03
func TestT51(t *testing.T) {
	timeout := `
		F< {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"The server did not answer in time.","data":{"cause":"timeout"}}}
		X< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
		U> {"jsonrpc":"2.0","id":2,"result":{"content":[],"tools":[]}}`
	want := map[string]string{"tools/call": "1h0m0s"}
	for name := range forwarded() {
		p := opened(t, Options{})
		start := p.now
		p.input("F>", `{"jsonrpc":"2.0","id":7,"method":"`+name+`","params":`+anyParams+`}`)
		p.wrote = nil
		p.play(`! fire request` + timeout)
		limit := want[name]
		if limit == "" {
			limit = "2m0s"
		}
		if got := p.now.Sub(start).String(); got != limit {
			t.Errorf("%s times out after %s, want %s", name, got, limit)
		}
		if len(p.timers) != 0 || p.session.core.table.used() != 0 {
			t.Errorf("%s: timers %v, %d slots at the end", name, p.timers, p.session.core.table.used())
		}
	}
}
