package mcpwire

import (
	"fmt"
	"strings"
	"testing"
)

// aTool is a tool of a list, with these properties.
func aTool(name, properties string) string {
	return `{"name":"` + name + `","inputSchema":{"type":"object","properties":{` + properties + `}}}`
}

// A region is a property whose value becomes a header.
const region = `"region":{"type":"string","x-mcp-header":"Region"}`

// callDeploy is a call with such a value.
const callDeploy = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"deploy","arguments":{"region":"us-west1"}}}`

// deployUp is that call upstream, under an id.
func deployUp(id int) string {
	return fmt.Sprintf("\nU< "+`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"deploy","arguments":{"region":"us-west1"},METAHTTP}}`, id)
}

const (
	deployHeaders = "\nH< Mcp-Name: deploy, Mcp-Param-Region: us-west1"
	deployName    = "\nH< Mcp-Name: deploy"
)

// listUp is what the session asks the upstream for itself; cursor is its first member, or nothing.
func listUp(id int, cursor string) string {
	return fmt.Sprintf("\nU< "+`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{%sMETAHTTP}}`, id, cursor)
}

// pageUp answers it.
func pageUp(id int, tools, rest string) string {
	return fmt.Sprintf("\nU> %d "+`{"jsonrpc":"2.0","id":%[1]d,"result":{"tools":[%s]%s}}`+"\nC< %[1]d", id, tools, rest)
}

// doneUp is a result of a call, and the answer to the front.
func doneUp(id, front int) string {
	return fmt.Sprintf("\nU> %d "+`{"jsonrpc":"2.0","id":%[1]d,"result":{"content":[]}}`+"\nF< "+`{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}`+"\nC< %[1]d", id, front)
}

// T199: the arguments that become headers are known from the list, whoever asked for it.
//
// req: W15
func TestT199Index(t *testing.T) {
	deploy := aTool("deploy", region)
	relayed := "\nF> " + `{"jsonrpc":"2.0","id":6,"method":"tools/list"}` + listUp(2, "") +
		fmt.Sprintf("\nU> 2 "+`{"jsonrpc":"2.0","id":2,"result":{"tools":[%s]}}`+"\nC< 2\nF< "+`{"jsonrpc":"2.0","id":6,"result":{"tools":[%[1]s]}}`, deploy)
	call := "\nF> " + callDeploy
	for _, tt := range []struct{ name, script string }{
		{"a list of the front", relayed + call + deployUp(3) + deployHeaders + doneUp(3, 7)},
		{"no list before", call + listUp(2, "") + pageUp(2, deploy, "") + deployUp(3) + deployHeaders + doneUp(3, 7)},
		{"on the second page", call + listUp(2, "") + pageUp(2, aTool("a", ""), `,"nextCursor":"c\u0032"`) +
			listUp(3, `"cursor":"c\u0032",`) + pageUp(3, deploy, "") + deployUp(4) + deployHeaders + doneUp(4, 7)},
		{"a tool that is not listed", call + listUp(2, "") + pageUp(2, aTool("a", ""), "") + deployUp(3) + deployName + doneUp(3, 7) +
			"\nF> " + strings.Replace(callDeploy, `"id":7`, `"id":8`, 1) + deployUp(4) + deployName + doneUp(4, 8)},
		{"a list that is none", call + listUp(2, "") + `
			U> 2 {"jsonrpc":"2.0","id":2,"result":{"tools":{}}}
			C< 2` + deployUp(3) + deployName + doneUp(3, 7)},
		{"an error in place of the list, and the next call tries again", call + listUp(2, "") + `
			U> 2 {"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"no"}}` + deployUp(3) + deployName + "\nC< 2" + doneUp(3, 7) + call + listUp(4, "") +
			pageUp(4, deploy, "") + deployUp(5) + deployHeaders + doneUp(5, 7)},
		{"a status in place of the list", call + listUp(2, "") + `
			! status 2 503` + deployUp(3) + deployName + doneUp(3, 7)},
		{"no list in time", call + listUp(2, "") + `
			! fire request` + deployUp(3) + deployName + `
			C< 2` + doneUp(3, 7)},
		{"questions in place of the list", call + listUp(2, "") + `
			U> 2 {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"s"}}` + deployUp(3) + deployName + "\nC< 2" + doneUp(3, 7)},
		{"progress of the list", `
			F> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"deploy","_meta":{"progressToken":"p"}}}` + listUp(2, "") + `
			U> 2 {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}` + pageUp(2, deploy, "") + `
			U< {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"deploy",` + metaHTTP[:len(metaHTTP)-1] + `,"progressToken":3}}}` + deployName + doneUp(3, 7)},
		{"cancelled while the list is read", call + listUp(2, "") + cancelFront(7) + "\nC< 2"},
		{"cancelled while a page is shaped", call + listUp(2, "") + `
			! hold` + pageUp(2, deploy, `,"nextCursor":"c"`) + cancelFront(7) + `
			! commit`},
		{"the front goes while the list is read", call + listUp(2, "") + `
			! end
			! fire drain
			C< 2`},
		{"the front goes while a page is shaped", call + listUp(2, "") + `
			! hold` + pageUp(2, deploy, "") + `
			! end
			! fire drain
			! commit`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := openedHTTP(t, Options{}, `"tools":{}`)
			p.overHTTP(tt.script)
			if n := p.session.core.table.used(); n != 0 || len(p.timers) != 0 || p.session.core.index.lister != nil {
				t.Errorf("%d slots and timers %v are left, a call reads the list: %v", n, p.timers, p.session.core.index.lister != nil)
			}
		})
	}
}

// A second call waits for the list that the first one reads.
//
// req: W15
func TestT199SecondCall(t *testing.T) {
	deploy := aTool("deploy", region)
	first := "\nF> " + callDeploy + listUp(2, "") + "\nF> " + strings.Replace(callDeploy, `"id":7`, `"id":8`, 1)
	for _, tt := range []struct{ name, script string }{
		{"and goes out after it", pageUp(2, deploy, "") + deployUp(4) + deployHeaders + `
			! fire request` + deployUp(5) + deployHeaders + doneUp(4, 7) + doneUp(5, 8)},
		{"and is cancelled", cancelFront(8) + pageUp(2, deploy, "") + deployUp(4) + deployHeaders + doneUp(4, 7)},
		{"and reads it where the first one is cancelled", cancelFront(7) + `
			C< 2
			! fire request` + listUp(4, "") + pageUp(4, deploy, "") + deployUp(5) + deployHeaders + doneUp(5, 8)},
		{"and does not try in vain", `
			! status 2 500` + deployUp(4) + deployName + `
			! fire request` + deployUp(5) + deployName + doneUp(4, 7) + doneUp(5, 8)},
		{"and goes with the front", `
			! end
			! fire drain
			C< 2`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := openedHTTP(t, Options{}, `"tools":{}`)
			p.overHTTP(first)
			p.overHTTP(tt.script)
			if n := p.session.core.table.used(); n != 0 || len(p.timers) != 0 {
				t.Errorf("%d slots and timers %v are left", n, p.timers)
			}
		})
	}
}

// The list is read so far, and so long, and no further.
//
// req: W15
func TestT199Bounds(t *testing.T) {
	deploy := aTool("deploy", region)
	call := "\nF> " + callDeploy
	for _, tt := range []struct {
		name, script string
		limits       Limits
	}{
		{"pages", call + listUp(2, "") + pageUp(2, "", `,"nextCursor":"a"`) + listUp(3, `"cursor":"a",`) + pageUp(3, deploy, `,"nextCursor":"a"`) +
			deployUp(4) + deployHeaders + doneUp(4, 7), Limits{ToolPages: 2}},
		{"one page too few", call + listUp(2, "") + pageUp(2, "", `,"nextCursor":"a"`) + deployUp(3) + deployName + doneUp(3, 7), Limits{ToolPages: 1}},
		{"time for all pages together", call + listUp(2, "") + `
			! wait 119s` + pageUp(2, "", `,"nextCursor":"a"`) + listUp(3, `"cursor":"a",`) + `
			! wait 1s` + pageUp(3, "", `,"nextCursor":"b"`) + deployUp(4) + deployName + doneUp(4, 7), Limits{}},
		{"a cursor that is too long", call + listUp(2, "") + pageUp(2, deploy, `,"nextCursor":"abc"`) + deployUp(3) + deployHeaders + doneUp(3, 7), Limits{Cursor: 4}},
		{"tools", call + listUp(2, "") + pageUp(2, aTool("a", "")+","+deploy, "") + deployUp(3) + deployName + doneUp(3, 7), Limits{IndexedTools: 1}},
		{"tools, one more", call + listUp(2, "") + pageUp(2, aTool("a", "")+","+deploy, "") + deployUp(3) + deployHeaders + doneUp(3, 7), Limits{IndexedTools: 2}},
		{"memory", call + listUp(2, "") + pageUp(2, deploy, "") + deployUp(3) + deployName + doneUp(3, 7), Limits{IndexedBytes: 227}},
		{"memory, one more", call + listUp(2, "") + pageUp(2, deploy, "") + deployUp(3) + deployHeaders + doneUp(3, 7), Limits{IndexedBytes: 228}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			openedHTTP(t, Options{Limits: tt.limits}, `"tools":{}`).overHTTP(tt.script)
		})
	}
}

// T198: the upstream does not find the headers that it wants.
//
// req: W15
func TestT198(t *testing.T) {
	const mismatch = `"error":{"code":-32020,"message":"Header mismatch","data":{"x":1}}}`
	deploy, other := aTool("deploy", region), aTool("deploy", strings.Replace(region, "Region", "Place", 1))
	call := "\nF> " + callDeploy + listUp(2, "") + pageUp(2, deploy, "") + deployUp(3) + deployHeaders
	refused := "\n! status 3 400 " + `{"jsonrpc":"2.0","id":3,` + mismatch
	for _, tt := range []struct{ name, script string }{
		{"the list says another one now", call + refused + listUp(4, "") + pageUp(4, other, "") + deployUp(5) + "\nH< Mcp-Name: deploy, Mcp-Param-Place: us-west1" + doneUp(5, 7)},
		{"with status 200", call + "\nU> 3 " + `{"jsonrpc":"2.0","id":3,` + mismatch + listUp(4, "") + "\nC< 3" + pageUp(4, other, "") + deployUp(5) +
			"\nH< Mcp-Name: deploy, Mcp-Param-Place: us-west1" + doneUp(5, 7)},
		{"again", call + refused + listUp(4, "") + pageUp(4, deploy, "") + deployUp(5) + deployHeaders + `
			! status 5 400 {"jsonrpc":"2.0","id":5,` + mismatch + `
			F< {"jsonrpc":"2.0","id":7,` + mismatch},
		{"the tool is gone from the list, or must not be called", call + refused + listUp(4, "") + pageUp(4, aTool("deploy", `"n":{"type":"number","x-mcp-header":"N"}`), "") + failed(7, CauseInvalidParams)},
		{"cancelled", call + refused + listUp(4, "") + cancelFront(7) + "\nC< 4"},
		{"of a prompt, which no list helps", `
			F> {"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"p"}}
			U< {"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"p",METAHTTP}}
			H< Mcp-Name: p
			! status 2 400 {"jsonrpc":"2.0","id":2,` + mismatch + `
			F< {"jsonrpc":"2.0","id":7,` + mismatch},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := openedHTTP(t, Options{}, `"tools":{},"prompts":{}`)
			p.overHTTP(tt.script)
			if n := p.session.core.table.used(); n != 0 || len(p.timers) != 0 {
				t.Errorf("%d slots and timers %v are left", n, p.timers)
			}
		})
	}
	t.Run("stdio passes it on", func(t *testing.T) {
		opened(t, Options{}).play("\nF> " + callTool + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",META}}
			U> {"jsonrpc":"2.0","id":2,` + mismatch + `
			F< {"jsonrpc":"2.0","id":7,` + mismatch)
	})
}

// The headers of a retry are found again: those of a round, and those of a request that
// was refused for its revision (T130).
func TestT130Headers(t *testing.T) {
	p := openedHTTP(t, Options{}, `"tools":{}`)
	p.overHTTP("\nF> " + callDeploy + listUp(2, "") + pageUp(2, aTool("deploy", region), "") + deployUp(3) + deployHeaders + `
		U> 3 {"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","requestState":"s"}}
		C< 3
		! fire request
		U< {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"deploy","arguments":{"region":"us-west1"},"requestState":"s",METAHTTP}}` + deployHeaders + `
		! status 4 400 {"jsonrpc":"2.0","id":4,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}
		U< {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"deploy","arguments":{"region":"us-west1"},"requestState":"s",METAHTTP}}` + deployHeaders + doneUp(5, 7))
}
