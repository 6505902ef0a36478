package demo

// calls are calls that the server answers without a question, and what comes beside an answer.
var calls = []step{
	{
		title: "What no rule touches passes byte for byte",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":"call-9","method":"tools/call","params":{"name":"echo",
				"arguments":{"n":123456789012345678901234567890.10e+2,"é":"\u00e9"}}}`),
			toServer: lines(`{"jsonrpc":"2.0","id":16,"method":"tools/call","params":{"name":"echo",
				"arguments":{"n":123456789012345678901234567890.10e+2,"é":"\u00e9"},"_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":16,"result":{"resultType":"complete","content":[],
				"structuredContent":{"n":123456789012345678901234567890.10e+2,"é":"\u00e9"},
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":"call-9","result":{"content":[],
				"structuredContent":{"n":123456789012345678901234567890.10e+2,"é":"\u00e9"}}}`),
		}},
		why: []reason{
			{"no number is read and written again, no escape is resolved", "W11"},
			{"an id that is a string comes back as that string", "T5"},
		},
	},
	{
		title: "A tool that fails has a result",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"fail","arguments":null}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"name":"fail","_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":17,"result":{"resultType":"complete",
				"content":[{"type":"text","text":"no such release"}],"isError":true,
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":10,"result":{
				"content":[{"type":"text","text":"no such release"}],"isError":true}}`),
		}},
		why: []reason{
			{"isError is for the model to read, and stays a result", "T74"},
			{"arguments that are null count as absent", "T50"},
		},
	},
	{
		title: "Errors of the server pass",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"nobody"}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":18,"method":"tools/call","params":{"name":"nobody","_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":18,"error":{"code":-32602,"message":"Unknown tool: nobody"}}`),
			toEditor:   lines(`{"jsonrpc":"2.0","id":11,"error":{"code":-32602,"message":"Unknown tool: nobody"}}`),
		}},
		why: []reason{{"code, message and data pass unchanged", "T90"}},
	},
	{
		title: "All but -32042",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"open"}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":19,"method":"tools/call","params":{"name":"open","_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":19,"error":{"code":-32042,"message":"Sign in first","data":{
				"elicitations":[{"mode":"url","url":"https://login.example.com/","elicitationId":"1","message":"Sign in"}]}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":12,"error":{"code":-32603,"message":
				"The server asked for a URL elicitation in a form that this protocol revision does not allow.",
				"data":{"cause":"url_elicitation_error"}}}`),
		}},
		why: []reason{{"the editor would open the URL unchecked and wait for ever", "T93"}},
	},
	{
		title: "The log level stays here",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":13,"method":"logging/setLevel","params":{"level":"info"}}`),
			toEditor:   lines(`{"jsonrpc":"2.0","id":13,"result":{}}`),
		}},
		why: []reason{{"2026-07-28 has no such request: the bridge keeps the level", "T146"}},
	},
	{
		title: "It goes with each request, and log messages come back",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":14,"method":"tools/call","params":{"name":"build"}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":20,"method":"tools/call","params":{"name":"build","_meta":{` + meta + `,` + level + `}}}`),
			fromServer: lines(
				`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"build","data":{"files":3}}}`,
				`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","logger":"build","data":"cache hit"}}`,
				`{"jsonrpc":"2.0","id":20,"result":{"resultType":"complete","content":[{"type":"text","text":"built"}],
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`),
			toEditor: lines(
				`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"build","data":{"files":3}}}`,
				`{"jsonrpc":"2.0","id":14,"result":{"content":[{"type":"text","text":"built"}]}}`),
		}},
		why: []reason{
			{"a server of 2026-07-28 logs only for a request that names a level", "T43"},
			{"a message below the level that the editor has set is dropped", "T145"},
		},
	},
	{
		title: "Progress comes under the editor's own token",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":15,"method":"tools/call","params":{"name":"watch","_meta":{"progressToken":"c2d8"}}}`),
			toServer: lines(`{"jsonrpc":"2.0","id":21,"method":"tools/call","params":{"name":"watch",
				"_meta":{` + meta + `,` + level + `,"progressToken":21}}}`),
			fromServer: lines(
				`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":21,"progress":1,"total":3,"message":"waiting"}}`,
				`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":21,"progress":1,"total":3,"message":"waiting"}}`),
			toEditor: lines(
				`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"c2d8","progress":1,"total":3,"message":"waiting"}}`),
		}},
		why: []reason{
			{"the token at the server is the number of the request there", "T140"},
			{"the second one is dropped: progress has to grow", "T141"},
		},
	},
	{
		title: "A call that is cancelled gets no answer",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":15,"reason":"Canceled"}}`),
			toServer:   lines(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":21,"reason":"Canceled"}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":21,"result":{"resultType":"complete","content":[{"type":"text","text":"released"}],
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`),
		}},
		why: []reason{
			{"the server is told which of its requests is meant", "T150"},
			{"what it had under way then is dropped", "T150"},
		},
	},
}
