package demo

// opening is how a session starts: what the server is, what it has, a first call.
var opening = []step{
	{
		title: "The handshake becomes one question",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{
				"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true},"sampling":{},
				"elicitation":{"form":{},"url":{}},"tasks":{"list":{},"cancel":{}}},
				"clientInfo":{"name":"demo-editor","version":"1.0"}}}`),
			toServer: lines(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],
				"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"logging":{}},
				"instructions":"Ask before you deploy.","ttlMs":3600000,"cacheScope":"public",
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{
				"tools":{"listChanged":true},"resources":{"subscribe":true},"logging":{}},
				"serverInfo":{"name":"demo-server","version":"1.0"},"instructions":"Ask before you deploy."}}`),
		}},
		why: []reason{
			{"initialize becomes server/discover, which asks what the server is", "T10"},
			{"the editor gets the revision that it asked for", "T14"},
			{"the result is built anew; serverInfo comes out of _meta", "T20"},
			{"every request says what the editor can do; nothing is remembered", "T40"},
			{"the server may ask the editor for what it declared", "T31"},
			{"the editor is offered what works from end to end", "T32"},
		},
	},
	{
		title: "The second half of the handshake opens a stream",
		exchanges: []frames{{
			fromEditor: lines(`{"method":"notifications/initialized","jsonrpc":"2.0"}`),
			toServer: lines(`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{
				"notifications":{"toolsListChanged":true},"_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{
				"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":{"toolsListChanged":true}}}`),
		}},
		why: []reason{
			{"2026-07-28 has no such message", "T22"},
			{"but a server of it sends changes only to who listens", "T160"},
			{"the order of members means nothing; editors put method first here", ""},
		},
	},
	{
		title: "Tools are made fit for the editor",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","tools":[
				{"name":"deploy","description":"Deploys a release","inputSchema":{"type":"object",
				"properties":{"hosts":{"type":"array"}}},"execution":{"taskSupport":"optional"}}],
				"nextCursor":"page-2","ttlMs":300000,"cacheScope":"public","_meta":{
				"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"},"example.com/page":1}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":2,"result":{"tools":[
				{"name":"deploy","description":"Deploys a release","inputSchema":{"type":"object",
				"properties":{"hosts":{"type":"array","items":{}}}}}],
				"nextCursor":"page-2","_meta":{"example.com/page":1}}}`),
		}},
		why: []reason{
			{"the bridge numbers its requests to the server itself", "T5"},
			{"an array schema without items could cost the editor all its tools", "T80"},
			{"resultType, ttlMs and cacheScope are new in 2026-07-28", "T71"},
			{"execution belongs to tasks, which are not carried", "T79"},
			{"serverInfo is taken out of _meta, foreign keys stay", "T44"},
		},
	},
	{
		title: "The last page ends the list",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"page-2"}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"page-2","_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","tools":[
				{"name":"release","inputSchema":{"type":"object"}},
				{"name":"notes","inputSchema":{"type":"object"}},
				{"name":"pay","inputSchema":{"type":"object"}},
				{"name":"install","inputSchema":{"type":"object"}},
				{"name":"echo","inputSchema":{"type":"object"}},
				{"name":"fail","inputSchema":{"type":"object"}},
				{"name":"open","inputSchema":{"type":"object"}},
				{"name":"build","inputSchema":{"type":"object"}},
				{"name":"watch","inputSchema":{"type":"object"}}],
				"nextCursor":null,"ttlMs":300000,"cacheScope":"public",
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":3,"result":{"tools":[
				{"name":"release","inputSchema":{"type":"object"}},
				{"name":"notes","inputSchema":{"type":"object"}},
				{"name":"pay","inputSchema":{"type":"object"}},
				{"name":"install","inputSchema":{"type":"object"}},
				{"name":"echo","inputSchema":{"type":"object"}},
				{"name":"fail","inputSchema":{"type":"object"}},
				{"name":"open","inputSchema":{"type":"object"}},
				{"name":"build","inputSchema":{"type":"object"}},
				{"name":"watch","inputSchema":{"type":"object"}}]}}`),
		}},
		why: []reason{{"a cursor that is null would make the editor ask for pages for ever", "T72"}},
	},
	{
		title: "A call carries what it may, and no more",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"deploy",
				"arguments":{"hosts":["a","b"]},"task":{},"_meta":{"progressToken":"c2d7",
				"vscode.conversationId":"c1","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
				"io.modelcontextprotocol/logLevel":"debug","example.com/user":"me"}}}`),
			toServer: lines(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"deploy",
				"arguments":{"hosts":["a","b"]},"_meta":{` + meta + `,"progressToken":5,
				"vscode.conversationId":"c1","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":5,"result":{"resultType":"complete",
				"content":[{"type":"text","text":"deployed"}],
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"deployed"}]}}`),
		}},
		why: []reason{
			{"_meta is written anew: the editor cannot set a reserved key", "T41"},
			{"vscode.* and trace context go on, keys of others stay here", "T42"},
			{"the server gets a progressToken of the bridge's own", "T140"},
			{"task is dropped: only members that the server knows go on", "T50"},
		},
	},
}
