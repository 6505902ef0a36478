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
		`{"name":"release","inputSchema":{"type":"object"}},` +
		`{"name":"notes","inputSchema":{"type":"object"}},` +
		`{"name":"pay","inputSchema":{"type":"object"}},` +
		`{"name":"install","inputSchema":{"type":"object"}},` +
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
		return done("deployed")
	case "echo": // gives its arguments back, byte for byte
		arguments := cmp.Or(string(q.Params.Arguments), "{}")
		return `"result":{"resultType":"complete","content":[],"structuredContent":` + arguments + `,` + serverInfo + `}`
	case "fail":
		return failed("no such release")
	case "open": // an error that this revision has no more, but that servers still send
		return `"error":{"code":-32042,"message":"Sign in first","data":{"elicitations":[{"mode":"url",` +
			`"url":"https://login.example.com/","elicitationId":"1","message":"Sign in"}]}}`
	case "build":
		return done("built")
	case "watch":
		return ""
	}
	return failure(-32602, "Unknown tool: "+q.Params.Name)
}

// done is the result of a tool that has gone right.
func done(text string) string {
	return fmt.Sprintf(`"result":{"resultType":"complete","content":[{"type":"text","text":%s}],%s}`, quote(text), serverInfo)
}

// failed is the result of one that has not.
func failed(text string) string {
	return fmt.Sprintf(`"result":{"resultType":"complete","content":[{"type":"text","text":%s}],"isError":true,%s}`, quote(text), serverInfo)
}

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
