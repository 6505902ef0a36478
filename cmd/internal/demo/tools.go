package demo

import (
	"cmp"
	"fmt"
)

const serverInfo = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}`

const discovery = `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],` +
	`"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"logging":{}},` +
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
		`{"name":"open","inputSchema":{"type":"object"}},` +
		`{"name":"build","inputSchema":{"type":"object"}},` +
		`{"name":"watch","inputSchema":{"type":"object"}}],` +
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
	case "build":
		return built
	case "watch":
		return ""
	}
	return failure(-32602, "Unknown tool: "+q.Params.Name)
}

// The answers to a call of build, and to one of watch once it has ended.
const (
	built   = `"result":{"resultType":"complete","content":[{"type":"text","text":"built"}],` + serverInfo + `}`
	watched = `"result":{"resultType":"complete","content":[{"type":"text","text":"released"}],` + serverInfo + `}`
)

// logs returns the log messages of a call of build, if they are wanted. The second
// one is below any level but the lowest.
func (q *request) logs() []string {
	if q.Params.Name != "build" || q.Params.Meta.LogLevel == "" {
		return nil
	}
	return []string{
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"build","data":{"files":3}}}`,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","logger":"build","data":"cache hit"}}`,
	}
}

// progress returns the progress of a call of watch, if it is wanted. The second one
// brings nothing new.
func (q *request) progress() []string {
	if q.Params.Meta.ProgressToken == nil {
		return nil
	}
	frame := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{`+
		`"progressToken":%s,"progress":1,"total":3,"message":"waiting"}}`, q.Params.Meta.ProgressToken)
	return []string{frame, frame}
}
