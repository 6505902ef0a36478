package demo

// closing is what else an editor sends, up to the end of its input.
var closing = []step{
	{
		title: "A subscription is a new stream",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":16,"method":"resources/subscribe","params":{"uri":"demo://release"}}`),
			toServer: lines(
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
				`{"jsonrpc":"2.0","id":22,"method":"subscriptions/listen","params":{
				"notifications":{"toolsListChanged":true,"resourceSubscriptions":["demo://release"]},"_meta":{`+meta+`}}}`),
			fromServer: lines(
				`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}`,
				`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{
				"_meta":{"io.modelcontextprotocol/subscriptionId":22},
				"notifications":{"toolsListChanged":true,"resourceSubscriptions":["demo://release"]}}}`,
				`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"demo://release",
				"_meta":{"io.modelcontextprotocol/subscriptionId":22}}}`),
			toEditor: lines(
				`{"jsonrpc":"2.0","id":16,"result":{}}`,
				`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"demo://release"}}`),
		}},
		why: []reason{
			{"what a stream carries is said when it opens, so a new one opens", "T162"},
			{"the old one ends first: servers lose events otherwise", "T163"},
			{"the answer comes when the server has acknowledged the new one", "T162"},
			{"events come after that, without the number of the stream", "T161"},
		},
	},
	{
		title: "A ping stays here",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":17,"method":"ping"}`),
			toEditor:   lines(`{"jsonrpc":"2.0","id":17,"result":{}}`),
		}},
		why: []reason{{"2026-07-28 has no ping: the bridge answers", "T15"}},
	},
	{
		title: "A method that the bridge does not carry",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":18,"method":"tasks/list","params":{}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":18,"error":{"code":-32601,"message":"The method is not available.",
				"data":{"cause":"method_not_found"}}}`),
		}},
		why: []reason{{"what the table of methods does not name is answered here", "T50"}},
	},
	{
		title: "A broken line costs one request",
		exchanges: []frames{{
			fromEditor: []string{`{"jsonrpc":"2.0","id":19,"method":"tools/call","params":{"name":"deploy}`},
			toEditor: lines(`{"jsonrpc":"2.0","id":19,"error":{"code":-32700,"message":"The message could not be parsed.",
				"data":{"cause":"parse_error"}}}`),
		}},
		why: []reason{{"its id is found all the same, and the stream goes on", "T4"}},
	},
	{
		title:     "The editor leaves right after a call",
		endsInput: true,
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":20,"method":"tools/call","params":{"name":"deploy","arguments":{}}}`),
			toServer: lines(
				`{"jsonrpc":"2.0","id":23,"method":"tools/call","params":{"name":"deploy","arguments":{},
				"_meta":{`+meta+`,`+level+`}}}`,
				`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":22}}`),
			fromServer: lines(
				`{"jsonrpc":"2.0","id":23,"result":{"resultType":"complete",
				"content":[{"type":"text","text":"deployed"}],
				"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo-server","version":"1.0"}}}}`,
				`{"jsonrpc":"2.0","id":22,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":22}}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":20,"result":{"content":[{"type":"text","text":"deployed"}]}}`),
		}},
		why: []reason{
			{"the answer is awaited for a moment (250 ms), not without bound", "T21"},
			{"the stream is taken back", "T169"},
			{"then the server's input ends as well, and so does the session", "T21"},
		},
	},
}
