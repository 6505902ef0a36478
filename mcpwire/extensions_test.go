package mcpwire

import (
	"strings"
	"testing"
)

const ui = `"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}`

// openCases are the capabilities experimental and extensions of a server, before and
// after.
var openCases = []struct{ name, from, to string }{
	{"interface resources", `"extensions":{` + ui + `}`, `"extensions":{` + ui + `}`},
	{"values pass as they came", `"extensions":{ "com.acme\/x" : { "n" : 1.50 } }`, `"extensions":{"com.acme\/x" : { "n" : 1.50 }}`},
	{"the extension of tasks", `"extensions":{"io.modelcontextprotocol/tasks":{},"io.modelcontextprotocol\/\u0074asks":{},` + ui + `}`, `"extensions":{` + ui + `}`},
	{"keys that name no extension", `"extensions":{"ui":{},"a b/c":{},"/c":{},"com.acme/":{},"com.acme/x":true,"com.acme/y":{}}`, `"extensions":{"com.acme/y":{}}`},
	{"none is left", `"extensions":{"com.acme/x":null}`, ``},
	{"extensions that are no object", `"extensions":[]`, ``},
	{"extensions twice", `"extensions":{` + ui + `},"extensions":{}`, ``},
	{"experimental", `"experimental":{"x y":{"a":[1]},"b":true,"c":{}}`, `"experimental":{"x y":{"a":[1]},"c":{}}`},
	{"both", `"extensions":{` + ui + `},"experimental":{"x":{}}`, `"experimental":{"x":{}},"extensions":{` + ui + `}`},
	{"unknown ones, and tasks", `"tasks":{"list":{},"cancel":{},"requests":{}},"zz":{}`, ``},
}

// req: W20
func TestT32Open(t *testing.T) {
	for _, tt := range openCases {
		t.Run(tt.name, func(t *testing.T) {
			to := tt.to
			if to != "" {
				to = `,` + to
			}
			newPlayer(t, Options{}).play(discoverFirst + `
				U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{` + tt.from + `,"tools":{"x":1}}}}
				F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}` + to + `},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}`)
		})
	}
}

// req: W20
func TestW20(t *testing.T) {
	p := newPlayer(t, Options{Profile: VSCode, Remote: true})
	p.play(`
		F> ` + strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"extensions":{`+ui+`}}`, 1) + `
		U< {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + uiMeta + `}}
		U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"extensions":{` + ui + `}}}}
		F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"extensions":{` + ui + `}},"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}`)
	for _, tt := range []struct{ method, params, result string }{
		{"tools/list", ``, `{"tools":[{"name":"t","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://w/main.html","visibility":["app"]},"ui/resourceUri":"ui://w/main.html"}}]}`},
		{"resources/list", ``, `{"resources":[{"uri":"ui://w/main.html","name":"w","mimeType":"text/html;profile=mcp-app","_meta":{"ui":{"csp":{"connectDomains":["https://a.example"]}}}}]}`},
		{"resources/read", `"uri":"ui://w/main.html",`, `{"contents":[{"uri":"ui://w/main.html","mimeType":"text/html;profile=mcp-app","text":"<script>\u0061\/</script>","_meta":{"ui":{"prefersBorder":true}}}]}`},
		{"tools/call", `"name":"t",`, `{"content":[{"type":"resource","resource":{"uri":"ui://w/main.html","mimeType":"text/html;profile=mcp-app","text":""}}],"_meta":{"ui":{"x": 1}},"structuredContent":{"a":1}}`},
	} {
		up := p.session.core.last + 1
		p.play(strings.ReplaceAll(`
			F> {"jsonrpc":"2.0","id":7,"method":"`+tt.method+`","params":{`+strings.TrimSuffix(tt.params, ",")+`}}
			U< {"jsonrpc":"2.0","id":UP,"method":"`+tt.method+`","params":{`+tt.params+uiMeta+`}}
			U> {"jsonrpc":"2.0","id":UP,"result":`+tt.result+`}
			F< {"jsonrpc":"2.0","id":7,"result":`+tt.result+`}`, "UP", string(rune('0'+up))))
	}
}

const uiMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"e","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"extensions":{` + ui + `}}}`
