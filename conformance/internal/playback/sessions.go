package playback

import "slices"

// A Session is a recording and where a session through a bridge departs from it.
type Session struct {
	Recording  string // in testdata of this module
	Departures []Departure
	ExitCode   int // of the bridge
}

// Sessions are those of an editor of 2025-11-25 with a server of its revision.
var Sessions = []Session{
	{"opening.jsonl", items("5 tools/list p2"), 0},
	{"calls.jsonl", slices.Concat(items("5 tools/list p2"), items("29 tools/list p2"), calls), 0},
	{"edges.jsonl", slices.Concat(items("5 tools/list p2"), edges), 1}, // the server ends in the midst of a call
	{"reading.jsonl", items("6 tools/list p2"), 0},
	{"chat.jsonl", slices.Concat(items("5 tools/list p2"), chat), 0},
}

// items are the two tools of the recorded server that have an array and do not say
// what is in it.
func items(list string) []Departure {
	const reason = "T80: an array says what its items are"
	return []Departure{
		{Line: list, Path: "result.tools[arr_no_items].inputSchema.properties.a.items", Recorded: Absent, Got: "object", Reason: reason},
		{Line: list, Path: "result.tools[d2020].inputSchema.properties.b.items", Recorded: Absent, Got: "object", Reason: reason},
	}
}

// Reasons that come more than once.
const (
	noPing     = "2026-07-28 has no ping: a server of it cannot send one"
	noTasks    = "2026-07-28 has no question as a task: a server of it cannot ask so"
	noComplete = "T124: a server of 2026-07-28 cannot say this; the bridge says it, of accepted URLs, before the answer to the request"
	noURLError = "T93: the editor would open each URL without the bridge's check, and wait for a word that cannot come"
	noRound    = "a server of 2026-07-28 has ended the request to ask, and has nothing to send while the question is open"
	ended      = "T132: the request was cancelled: its question is too, it gets no answer, and the late answer to the question is swallowed"
	refused    = "T113: what the editor cannot be asked ends the request"
)

var calls = []Departure{
	{Line: "7 ping: ping", Recorded: InPlace, Got: Absent, Reason: noPing},

	{Line: "9 unknown_req: foo/bar", Recorded: InPlace, Got: Absent, Reason: refused},
	{Line: "9 unknown_req", Path: "error", Recorded: "a result", Got: "-32603 input_refused", Reason: refused},

	{Line: "16 slow_silent", Recorded: InPlace, Got: Absent, Reason: "T150: a cancelled request has no answer; the one of the server comes late"},

	{Line: "18 url: notifications/elicitation/complete", Recorded: InPlace, Got: "before 18 url", Reason: noComplete},
	{Line: "20 url_err", Path: "error", Recorded: "-32042", Got: "-32603 url_elicitation_error", Reason: noURLError},
	{Line: "20 url_err: notifications/elicitation/complete", Recorded: InPlace, Got: Absent, Reason: noComplete},
	{Line: "20 url_err: notifications/elicitation/complete 2", Recorded: InPlace, Got: Absent, Reason: noComplete},

	{
		Line: "22 form: notifications/cancelled", Recorded: Absent, Got: "before 22 form", Reason: ended,
		Text: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"srv-1006","reason":"The request that needed this has ended."}}`,
	},
	{Line: "22 form", Recorded: InPlace, Got: Absent, Reason: ended},

	{Line: "23 cancel_by_server: notifications/cancelled", Recorded: InPlace, Got: Absent, Reason: noRound},
	{Line: "23 cancel_by_server", Recorded: InPlace, Got: "before > 24 task_form", Reason: noRound},

	{Line: "24 task_form: elicitation/create", Recorded: InPlace, Got: Absent, Reason: noTasks},
	{Line: "24 task_form: tasks/get", Recorded: InPlace, Got: Absent, Reason: noTasks},
	{Line: "24 task_form: tasks/list", Recorded: InPlace, Got: Absent, Reason: noTasks},
	{Line: "24 task_form: tasks/cancel", Recorded: InPlace, Got: Absent, Reason: noTasks},

	{Line: "25 sample", Path: "error", Recorded: "a result", Got: "-32603 input_failed", Reason: "T122: 2026-07-28 has no way to tell a server that a question failed"},
}

var edges = []Departure{
	{Line: "6 collide: notifications/cancelled", Recorded: InPlace, Got: Absent, Reason: "T151: the editor would cancel its own request of that id"},

	{Line: "7 elicit_badmode: elicitation/create", Recorded: InPlace, Got: Absent, Reason: "T115: " + refused},
	{Line: "7 elicit_badmode", Path: "error", Recorded: "a result", Got: "-32603 input_refused", Reason: refused},

	{Line: "8 batch: notifications/message", Recorded: "in one line with others", Got: InPlace, Reason: "2026-07-28 has no batches"},
	{Line: "8 batch", Recorded: "in one line with others", Got: InPlace, Reason: "2026-07-28 has no batches"},

	{Line: "9 always_url_err", Path: "error", Recorded: "-32042", Got: "-32603 url_elicitation_error", Reason: noURLError},
	{Line: "9 always_url_err: notifications/elicitation/complete", Recorded: InPlace, Got: Absent, Reason: noComplete},
	{Line: "10 always_url_err", Path: "error", Recorded: "-32042", Got: "-32603 url_elicitation_error", Reason: noURLError},
	{Line: "11 url_complete_first", Path: "error", Recorded: "-32042", Got: "-32603 url_elicitation_error", Reason: noURLError},
	{Line: "11 url_complete_first: notifications/elicitation/complete", Recorded: InPlace, Got: Absent, Reason: noComplete},
	{Line: "11 url_complete_first: notifications/elicitation/complete 2", Recorded: InPlace, Got: Absent, Reason: noComplete},
	{Line: "12 url_complete_first", Path: "error", Recorded: "-32042", Got: "-32603 url_elicitation_error", Reason: noURLError},
	{Line: "12 url_complete_first: notifications/elicitation/complete", Recorded: InPlace, Got: Absent, Reason: noComplete},

	{
		Line: "13 die", Recorded: Absent, Got: "before < end", Reason: "T100: what is open when the server goes is answered",
		Text: `{"jsonrpc":"2.0","id":13,"error":{"code":-32603,"message":"The server has exited or could not be started.","data":{"cause":"upstream_exited"}}}`,
	},
}

var chat = []Departure{
	{
		Line: "7 form: notifications/cancelled", Recorded: Absent, Got: "before 7 form", Reason: ended,
		Text: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"srv-1000","reason":"The request that needed this has ended."}}`,
	},
	{Line: "7 form", Recorded: InPlace, Got: Absent, Reason: ended},
	{
		Line: "8 form: notifications/cancelled", Recorded: Absent, Got: "before 8 form", Reason: ended,
		Text: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"srv-1001","reason":"The request that needed this has ended."}}`,
	},
	{Line: "8 form", Recorded: InPlace, Got: Absent, Reason: ended},
	{Line: "9 url: notifications/elicitation/complete", Recorded: InPlace, Got: "before 9 url", Reason: noComplete},
}
