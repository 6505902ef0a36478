package demo

import "cmp"

const serverInfo = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}`

const discovery = `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],` +
	`"capabilities":{"tools":{"listChanged":true},"logging":{}},` +
	`"instructions":"Ask before you deploy.","ttlMs":3600000,"cacheScope":"public",` + serverInfo + `}`

// The two pages of the list. The first has an array without items, which JSON
// Schema allows, and a member that only dual-era servers send; the second ends with
// a cursor that is null.
const (
	cursorTwo = "page-2"

	pageOne = `"result":{"resultType":"complete","tools":[` +
		`{"name":"deploy","description":"Deploys a release","inputSchema":{"type":"object",` +
		`"properties":{"hosts":{"type":"array"}}},"execution":{"taskSupport":"optional"}}],` +
		`"nextCursor":"` + cursorTwo + `","ttlMs":300000,"cacheScope":"public",` +
		`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"},"example.com/page":1}}`
	pageTwo = `"result":{"resultType":"complete","tools":[` +
		`{"name":"echo","inputSchema":{"type":"object"}},` +
		`{"name":"fail","inputSchema":{"type":"object"}},` +
		`{"name":"open","inputSchema":{"type":"object"}}],` +
		`"nextCursor":null,"ttlMs":300000,"cacheScope":"public",` + serverInfo + `}`
)

func (q *request) tools() string {
	switch q.Params.Cursor {
	case "":
		return pageOne
	case cursorTwo:
		return pageTwo
	}
	return failure(-32602, "Unknown cursor")
}

// call runs a tool.
func (q *request) call() string {
	switch q.Params.Name {
	case "deploy":
		return `"result":{"resultType":"complete","content":[{"type":"text","text":"deployed"}],` + serverInfo + `}`
	case "echo": // gives its arguments back, byte for byte
		arguments := cmp.Or(string(q.Params.Arguments), "{}")
		return `"result":{"resultType":"complete","content":[],"structuredContent":` + arguments + `,` + serverInfo + `}`
	case "fail":
		return `"result":{"resultType":"complete","content":[{"type":"text","text":"no such release"}],` +
			`"isError":true,` + serverInfo + `}`
	case "open": // an error that this revision has no more, but that servers still send
		return `"error":{"code":-32042,"message":"Sign in first","data":{"elicitations":[{"mode":"url",` +
			`"url":"https://login.example.com/","elicitationId":"1","message":"Sign in"}]}}`
	}
	return failure(-32602, "Unknown tool: "+q.Params.Name)
}
