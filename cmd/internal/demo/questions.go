package demo

// questions are calls that need something of the person or of the editor first.
var questions = []step{
	{
		title: "A tool asks, and the call is sent again",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"release","arguments":{"version":"1.2"}}}`),
			toServer: lines(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"release","arguments":{"version":"1.2"},
				"_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":6,"result":{"resultType":"input_required","inputRequests":{
				"stage":{"method":"elicitation/create","params":{"mode":"form","message":"Release it where?",
				"requestedSchema":{"type":"object","properties":{"stage":{"type":"string","enum":["test","live"]}},
				"required":["stage"]}}}},` + serverInfo + `}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":"b-1","method":"elicitation/create","params":{"mode":"form","message":"Release it where?",
				"requestedSchema":{"type":"object","properties":{"stage":{"type":"string","enum":["test","live"]}},
				"required":["stage"]}}}`),
		}, {
			fromEditor: lines(`{"jsonrpc":"2.0","id":"b-1","result":{"action":"accept","content":{"stage":"test"}}}`),
			toServer: lines(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"release","arguments":{"version":"1.2"},
				"inputResponses":{"stage":{"action":"accept","content":{"stage":"test"}}},"_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",
				"content":[{"type":"text","text":"released"}],` + serverInfo + `}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"released"}]}}`),
		}},
		why: []reason{
			{"a server of 2026-07-28 sends no requests: its result asks instead", "T110"},
			{"the editor knows only requests, so it gets one, numbered b-1", "T5"},
			{"its answer must be one that the form allows", "T121"},
			{"then the same call goes out again, with the answer, as number 7", "T130"},
		},
	},
	{
		title: "Two questions at once, and a state to give back",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"notes"}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"notes","_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":8,"result":{"resultType":"input_required","inputRequests":{
				"folders":{"method":"roots/list"},
				"draft":{"method":"sampling/createMessage","params":{"messages":[{"role":"user",
				"content":{"type":"text","text":"What is new in 1.2?"}}],"maxTokens":200,"includeContext":"thisServer"}}},
				"requestState":"state-1",` + serverInfo + `}}`),
			toEditor: lines(
				`{"jsonrpc":"2.0","id":"b-2","method":"roots/list"}`,
				`{"jsonrpc":"2.0","id":"b-3","method":"sampling/createMessage","params":{"messages":[{"role":"user",
				"content":{"type":"text","text":"What is new in 1.2?"}}],"maxTokens":200}}`),
		}, {
			fromEditor: lines(
				`{"jsonrpc":"2.0","id":"b-3","result":{"model":"some-model","role":"assistant",
				"content":{"type":"text","text":"It is faster."}}}`,
				`{"jsonrpc":"2.0","id":"b-2","result":{"roots":[{"uri":"file:///home/shop","name":"shop"},
				{"uri":"vscode-vfs://github/demo/shop","name":"remote"}]}}`),
			toServer: lines(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"notes","inputResponses":{
				"folders":{"roots":[{"uri":"file:///home/shop","name":"shop"}]},
				"draft":{"model":"some-model","role":"assistant","content":{"type":"text","text":"It is faster."}}},
				"requestState":"state-1","_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":9,"result":{"resultType":"input_required","inputRequests":{
				"publish":{"method":"elicitation/create","params":{"mode":"form","message":"Publish the notes?",
				"requestedSchema":{"type":"object","properties":{"publish":{"type":"boolean"}}}}}},
				"requestState":"state-2",` + serverInfo + `}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":"b-4","method":"elicitation/create","params":{"mode":"form","message":"Publish the notes?",
				"requestedSchema":{"type":"object","properties":{"publish":{"type":"boolean"}}}}}`),
		}},
		why: []reason{
			{"the editor gets both at once, and may answer in any order", "T119"},
			{"includeContext is left out: the editor has not declared it", "T119"},
			{"the server learns of folders on this machine only", "T121"},
			{"requestState is for the server alone: it gets it back unchanged", "T127"},
		},
	},
	{
		title: "The same call, second round",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":"b-4","result":{"action":"accept","content":{"publish":true}}}`),
			toServer: lines(`{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"notes",
				"inputResponses":{"publish":{"action":"accept","content":{"publish":true}}},
				"requestState":"state-2","_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":10,"result":{"resultType":"complete",
				"content":[{"type":"text","text":"published"}],` + serverInfo + `}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"published"}]}}`),
		}},
		why: []reason{
			{"a call may ask ten times; at the eleventh it fails", "T112"},
			{"the answers of the first round are not sent again", "T128"},
			{"nor is its state: what the server needs of it is in the new one", "T127"},
		},
	},
	{
		title: "A page to open in the browser",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"pay"}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"pay","_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":11,"result":{"resultType":"input_required","inputRequests":{
				"bill":{"method":"elicitation/create","params":{"mode":"url","message":"Please pay",
				"url":"https://pay.example.com/7"}}},` + serverInfo + `}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":"b-5","method":"elicitation/create","params":{"mode":"url","message":"Please pay",
				"url":"https://pay.example.com/7","elicitationId":"e-random"}}`),
		}, {
			fromEditor: lines(`{"jsonrpc":"2.0","id":"b-5","result":{"action":"accept"}}`),
			toServer: lines(`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"pay",
				"inputResponses":{"bill":{"action":"accept"}},"_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":12,"result":{"resultType":"input_required","inputRequests":{
				"bill":{"method":"elicitation/create","params":{"mode":"url","message":"Please pay",
				"url":"https://pay.example.com/7"}}},` + serverInfo + `}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":"b-6","method":"elicitation/create","params":{"mode":"form",
				"message":"Finish in the browser, then choose Continue here.","requestedSchema":{"type":"object","properties":{"next":
				{"type":"string","title":"Next","enum":["Continue"],"default":"Continue"}},"required":["next"]}}}`),
		}},
		why: []reason{
			{"the address is https, so the editor may show it, and ask", "T116"},
			{"the editor wants an id with it: random, and another one each time", "T123"},
			{"accept means that the page was opened, not that the bill is paid", "T121"},
			{"the server asks for it again: instead of the page, a form comes", "T125"},
		},
	},
	{
		title: "The page is done with",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":"b-6","result":{"action":"accept","content":{"next":"Continue"}}}`),
			toServer: lines(`{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"pay",
				"inputResponses":{"bill":{"action":"accept"}},"_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":13,"result":{"resultType":"complete",
				"content":[{"type":"text","text":"paid"}],` + serverInfo + `}}`),
			toEditor: lines(
				`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e-random"}}`,
				`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"paid"}]}}`),
		}},
		why: []reason{
			{"to the server this is the answer to its own question", "T125"},
			{"it asks no more, so the editor is told that the page is finished", "T124"},
		},
	},
	{
		title: "An address that nobody gets to see",
		exchanges: []frames{{
			fromEditor: lines(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"install"}}`),
			toServer:   lines(`{"jsonrpc":"2.0","id":14,"method":"tools/call","params":{"name":"install","_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":14,"result":{"resultType":"input_required","inputRequests":{
				"setup":{"method":"elicitation/create","params":{"mode":"url","message":"One click to finish",
				"url":"vscode://demo.tools/setup"}}},` + serverInfo + `}}`),
		}, {
			toServer: lines(`{"jsonrpc":"2.0","id":15,"method":"tools/call","params":{"name":"install",
				"inputResponses":{"setup":{"action":"decline"}},"_meta":{` + meta + `}}}`),
			fromServer: lines(`{"jsonrpc":"2.0","id":15,"result":{"resultType":"complete",
				"content":[{"type":"text","text":"not installed"}],"isError":true,` + serverInfo + `}}`),
			toEditor: lines(`{"jsonrpc":"2.0","id":8,"result":{"content":[{"type":"text","text":"not installed"}],"isError":true}}`),
		}},
		why: []reason{
			{"only https is shown, and http to this machine: no other scheme", "T116"},
			{"such a link could start a program; the bridge declines by itself", "T116"},
		},
	},
}
