package mcpwire

import (
	"strings"
	"testing"
)

// req: W08
func TestT84(t *testing.T) {
	const (
		mixed  = `[{"src":"https://x/i.png"},{"src":"DATA:image/png;base64,AA==","mimeType":"image/png"},{"src":"file:///i.png"}]`
		data   = `[{"src":"DATA:image/png;base64,AA==","mimeType":"image/png"}]`
		others = `[{"src":"https://x/i.png"},{"src":"data"},{"src":"data\u003ax"},{"src":7},{},7,{"src":"data:a","src":"file:b"},{"src":"file:b","src":"data:a"}]`
	)
	remote := Options{Remote: true, Profile: VSCode}
	schema := `,"inputSchema":{"type":"object"}`
	answers(t, remote, listTools, []rewriteCase{
		{"tools", `{"tools":[{"icons":` + mixed + `,"name":"t"` + schema + `}]}`, `{"tools":[{"icons":` + data + `,"name":"t"` + schema + `}]}`},
		{"tools without any left", `{"tools":[{"name":"t","icons":` + others + schema + `}]}`, `{"tools":[{"name":"t"` + schema + `}]}`},
		{"icons that are no list", `{"tools":[{"name":"t","icons":"https://x"` + schema + `}]}`, `{"tools":[{"name":"t"` + schema + `}]}`},
		{"several, in their order", `{"tools":[{"name":"t","icons":[{"src":"http:x"},{"src":"data:b"},{"src":"http:y"},{"src":"data:a","sizes":["any"]},7,{"src":"data:b"}]` + schema + `}]}`,
			`{"tools":[{"name":"t","icons":[{"src":"data:b"},{"src":"data:a","sizes":["any"]},{"src":"data:b"}]` + schema + `}]}`},
		{"only data", `{"tools":[{"name":"t","icons":` + data + schema + `}]}`, `{"tools":[{"name":"t","icons":` + data + schema + `}]}`},
	})
	for name, md := range forwarded() {
		if md.paged && name != "tools/list" {
			element := func(icons string) string {
				return `{"` + memberNames[md.array] + `":[{"` + md.key + `":"k"` + icons + `}]}`
			}
			answers(t, remote, `{"jsonrpc":"2.0","id":7,"method":"`+name+`"}`, []rewriteCase{
				{name, element(`,"icons":` + mixed), element(`,"icons":` + data)},
				{name + " without any left", element(`,"icons":` + others), element(``)},
			})
		}
	}
	weird := `{"type":"weird","icons":` + mixed + `,"z":1}`
	answers(t, Options{Remote: true}, callTool, []rewriteCase{
		{"a block of an unknown type", `{"content":[` + weird + `]}`, `{"content":[{"type":"text","text":"[unsupported content: weird]"}]}`},
	})
	newPlayer(t, remote).play(discoverFirst + `
		U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","icons":` + mixed + `,"version":"1"}}}}
		F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","icons":` + data + `,"version":"1"}}}`)
	link := func(icons string) string { return `{"type":"resource_link","uri":"a:b","name":"n"` + icons + `}` }
	answers(t, remote, callTool, []rewriteCase{
		{"links", `{"content":[` + link(`,"icons":`+mixed) + `,` + link(`,"icons":`+others) + `]}`, `{"content":[` + link(`,"icons":`+data) + `,` + link(``) + `]}`},
	})
	answers(t, remote, getPrompt, []rewriteCase{
		{"links in prompts", `{"messages":[{"role":"user","content":` + link(`,"icons":`+mixed) + `}]}`, `{"messages":[{"role":"user","content":` + link(`,"icons":`+data) + `}]}`},
	})
	answers(t, Options{Profile: VSCode}, listTools, []rewriteCase{
		{"a local server", `{"tools":[{"icons":` + mixed + `,"name":"t"` + schema + `}]}`, `{"tools":[{"icons":` + mixed + `,"name":"t"` + schema + `}]}`},
	})
	for icons, kept := range map[string]string{mixed: `,"icons":` + data, others: ``} {
		newPlayer(t, remote).play(discoverFirst + `
			U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"s","icons":` + icons + `,"version":"1"}}}
			F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s"` + kept + `,"version":"1"}}}`)
	}
	// The front's own icons go upstream as they are.
	newPlayer(t, remote).play(`
		F> ` + strings.Replace(initialize, `"version":"1"`, `"version":"1","icons":`+mixed, 1) + `
		U< {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"e","version":"1","icons":` + mixed + `},"io.modelcontextprotocol/clientCapabilities":{}}}}`)
}
