package demo

// meta holds the keys that the bridge writes into each request to the server.
const meta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"demo-editor","version":"1.0"},` +
	`"io.modelcontextprotocol/clientCapabilities":{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}}`

// level is the key that is there too, once the editor has set a level.
const level = `"io.modelcontextprotocol/logLevel":"info"`

// script is the session. The frames of the editor are written as real editors
// write them; those of the server come from [Serve].
var script = []step{
	{
		title: "The handshake becomes one question",
		frames: frames{
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
		},
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
		frames: frames{
			fromEditor: lines(`{"method":"notifications/initialized","jsonrpc":"2.0"}`),
			toServer: lines(`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{
				"notifications":{"toolsListChanged":true},"_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{
				"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":{"toolsListChanged":true}}}`),
		},
		why: []reason{
			{"2026-07-28 has no such message", "T22"},
			{"but a server of it sends changes only to who listens", "T160"},
			{"the order of members means nothing; editors put method first here", ""},
		},
	},
	{
		title: "A ping stays here",
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","id":2,"method":"ping"}`),
			toEditor:   lines(`{"jsonrpc":"2.0","id":2,"result":{}}`),
		},
		why: []reason{{"2026-07-28 has no ping: the bridge answers", "T15"}},
	},
	{
		title: "Tools are made fit for the editor",
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","tools":[
				{"name":"deploy","description":"Deploys a release","inputSchema":{"type":"object",
				"properties":{"hosts":{"type":"array"}}},"execution":{"taskSupport":"optional"}}],
				"nextCursor":"page-2","ttlMs":300000,"cacheScope":"public","_meta":{
				"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"},"example.com/page":1}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":3,"result":{"tools":[
				{"name":"deploy","description":"Deploys a release","inputSchema":{"type":"object",
				"properties":{"hosts":{"type":"array","items":{}}}}}],
				"nextCursor":"page-2","_meta":{"example.com/page":1}}}`),
		},
		why: []reason{
			{"the bridge numbers its requests itself; 3 is 3 by chance", "T5"},
			{"an array schema without items could cost the editor all its tools", "T80"},
			{"resultType, ttlMs and cacheScope are new in 2026-07-28", "T71"},
			{"execution belongs to tasks, which are not carried", "T79"},
			{"serverInfo is taken out of _meta, foreign keys stay", "T44"},
		},
	},
	{
		title: "The last page ends the list",
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"page-2"}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"page-2","_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","tools":[
				{"name":"echo","inputSchema":{"type":"object"}},
				{"name":"fail","inputSchema":{"type":"object"}},
				{"name":"open","inputSchema":{"type":"object"}},
				{"name":"build","inputSchema":{"type":"object"}},
				{"name":"watch","inputSchema":{"type":"object"}}],
				"nextCursor":null,"ttlMs":300000,"cacheScope":"public",
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":4,"result":{"tools":[
				{"name":"echo","inputSchema":{"type":"object"}},
				{"name":"fail","inputSchema":{"type":"object"}},
				{"name":"open","inputSchema":{"type":"object"}},
				{"name":"build","inputSchema":{"type":"object"}},
				{"name":"watch","inputSchema":{"type":"object"}}]}}`),
		},
		why: []reason{{"a cursor that is null would make the editor ask for pages for ever", "T72"}},
	},
	{
		title: "A call carries what it may, and no more",
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"deploy",
				"arguments":{"hosts":["a","b"]},"task":{},"_meta":{"progressToken":"c2d7",
				"vscode.conversationId":"c1","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
				"io.modelcontextprotocol/logLevel":"debug","example.com/user":"me"}}}`),
			toServer: lines(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"deploy",
				"arguments":{"hosts":["a","b"]},"_meta":{` + meta + `,"progressToken":5,
				"vscode.conversationId":"c1","traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":5,"result":{"resultType":"complete",
				"content":[{"type":"text","text":"deployed"}],
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"deployed"}]}}`),
		},
		why: []reason{
			{"_meta is written anew: the editor cannot set a reserved key", "T41"},
			{"vscode.* and trace context go on, keys of others stay here", "T42"},
			{"the server gets a progressToken of the bridge's own", "T140"},
			{"task is dropped: only members that the server knows go on", "T50"},
		},
	},
	{
		title: "What no rule touches passes byte for byte",
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","id":"call-6","method":"tools/call","params":{"name":"echo",
				"arguments":{"n":123456789012345678901234567890.10e+2,"é":"\u00e9"}}}`),
			toServer: lines(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"echo",
				"arguments":{"n":123456789012345678901234567890.10e+2,"é":"\u00e9"},"_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","content":[],
				"structuredContent":{"n":123456789012345678901234567890.10e+2,"é":"\u00e9"},
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":"call-6","result":{"content":[],
				"structuredContent":{"n":123456789012345678901234567890.10e+2,"é":"\u00e9"}}}`),
		},
		why: []reason{
			{"no number is read and written again, no escape is resolved", "W11"},
			{"an id that is a string comes back as that string", "T5"},
		},
	},
	{
		title: "A tool that fails has a result",
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"fail","arguments":null}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"fail","_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",
				"content":[{"type":"text","text":"no such release"}],"isError":true,
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":7,"result":{
				"content":[{"type":"text","text":"no such release"}],"isError":true}}`),
		},
		why: []reason{
			{"isError is for the model to read, and stays a result", "T74"},
			{"arguments that are null count as absent", "T50"},
		},
	},
	{
		title: "Errors of the server pass",
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"nobody"}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"nobody","_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"Unknown tool: nobody"}}`),
			toEditor:   lines(`{"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"Unknown tool: nobody"}}`),
		},
		why: []reason{{"code, message and data pass unchanged", "T90"}},
	},
	{
		title: "All but -32042",
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"open"}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"open","_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":9,"error":{"code":-32042,"message":"Sign in first","data":{
				"elicitations":[{"mode":"url","url":"https://login.example.com/","elicitationId":"1","message":"Sign in"}]}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":9,"error":{"code":-32603,"message":
				"The server asked for a URL elicitation in a form that this protocol revision does not allow.",
				"data":{"cause":"url_elicitation_error"}}}`),
		},
		why: []reason{{"the editor would open the URL unchecked and wait for ever", "T93"}},
	},
	{
		title: "The log level stays here",
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","id":10,"method":"logging/setLevel","params":{"level":"info"}}`),
			toEditor:   lines(`{"jsonrpc":"2.0","id":10,"result":{}}`),
		},
		why: []reason{{"2026-07-28 has no such request: the bridge keeps the level", "T146"}},
	},
	{
		title: "It goes with each request, and log messages come back",
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"build"}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"build","_meta":{` + meta + `,` + level + `}}}`),
			fromServer: lines(
				`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"build","data":{"files":3}}}`,
				`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","logger":"build","data":"cache hit"}}`,
				`{"jsonrpc":"2.0","id":10,"result":{"resultType":"complete","content":[{"type":"text","text":"built"}],
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`),
			toEditor: lines(
				`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"build","data":{"files":3}}}`,
				`{"jsonrpc":"2.0","id":11,"result":{"content":[{"type":"text","text":"built"}]}}`),
		},
		why: []reason{
			{"a server of 2026-07-28 logs only for a request that names a level", "T43"},
			{"a message below the level that the editor has set is dropped", "T145"},
		},
	},
	{
		title: "Progress comes under the editor's own token",
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"watch","_meta":{"progressToken":"c2d8"}}}`),
			toServer: lines(`{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"watch",
				"_meta":{` + meta + `,` + level + `,"progressToken":11}}}`),
			fromServer: lines(
				`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":11,"progress":1,"total":3,"message":"waiting"}}`,
				`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":11,"progress":1,"total":3,"message":"waiting"}}`),
			toEditor: lines(
				`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"c2d8","progress":1,"total":3,"message":"waiting"}}`),
		},
		why: []reason{
			{"the token at the server is the number of the request there", "T140"},
			{"the second one is dropped: progress has to grow", "T141"},
		},
	},
	{
		title: "A call that is cancelled gets no answer",
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12,"reason":"Canceled"}}`),
			toServer:   lines(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":11,"reason":"Canceled"}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":11,"result":{"resultType":"complete","content":[{"type":"text","text":"released"}],
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`),
		},
		why: []reason{
			{"the server is told which of its requests is meant", "T150"},
			{"what it had under way then is dropped", "T150"},
		},
	},
	{
		title: "A method that the bridge does not carry",
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","id":13,"method":"tasks/list","params":{}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":13,"error":{"code":-32601,"message":"The method is not available.",
				"data":{"cause":"method_not_found"}}}`),
		},
		why: []reason{{"what the table of methods does not name is answered here", "T50"}},
	},
	{
		title: "A broken line costs one request",
		frames: frames{
			fromEditor: []string{`{"jsonrpc":"2.0","id":14,"method":"tools/call","params":{"name":"deploy}`},
			toEditor: lines(`{"jsonrpc":"2.0","id":14,"error":{"code":-32700,"message":"The message could not be parsed.",
				"data":{"cause":"parse_error"}}}`),
		},
		why: []reason{{"its id is found all the same, and the stream goes on", "T4"}},
	},
	{
		title: "A subscription is a new stream",
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","id":15,"method":"resources/subscribe","params":{"uri":"demo://release"}}`),
			toServer: lines(
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
				`{"jsonrpc":"2.0","id":12,"method":"subscriptions/listen","params":{
				"notifications":{"toolsListChanged":true,"resourceSubscriptions":["demo://release"]},"_meta":{`+meta+`}}}`),
			fromServer: lines(
				`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}`,
				`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{
				"_meta":{"io.modelcontextprotocol/subscriptionId":12},
				"notifications":{"toolsListChanged":true,"resourceSubscriptions":["demo://release"]}}}`,
				`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"demo://release",
				"_meta":{"io.modelcontextprotocol/subscriptionId":12}}}`),
			toEditor: lines(
				`{"jsonrpc":"2.0","id":15,"result":{}}`,
				`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"demo://release"}}`),
		},
		why: []reason{
			{"the old one ends first: servers lose events otherwise", "T163"},
			{"the answer comes when the server has acknowledged the new one", "T162"},
			{"events come after that, without the number of the stream", "T161"},
		},
	},
	{
		title:     "The editor leaves right after a question",
		endsInput: true,
		frames: frames{
			fromEditor: lines(`{"jsonrpc":"2.0","id":16,"method":"tools/call","params":{"name":"deploy","arguments":{}}}`),
			toServer: lines(
				`{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"deploy","arguments":{},
				"_meta":{`+meta+`,`+level+`}}}`,
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12}}`),
			fromServer: lines(
				`{"jsonrpc":"2.0","id":13,"result":{"resultType":"complete",
				"content":[{"type":"text","text":"deployed"}],
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`,
				`{"jsonrpc":"2.0","id":12,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":12}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":16,"result":{"content":[{"type":"text","text":"deployed"}]}}`),
		},
		why: []reason{
			{"the answer is awaited for a moment (250 ms), not without bound", "T21"},
			{"the stream is taken back", "T169"},
			{"then the server's input ends as well, and so does the session", "T21"},
		},
	},
}
