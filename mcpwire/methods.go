package mcpwire

import "github.com/trestle-mcp/trestle/jsonrpc"

// Methods of both revisions, toward the upstream or answered here.
const (
	methodInitialize = "initialize"
	methodDiscover   = "server/discover"
	methodPing       = "ping"
	methodSetLevel   = "logging/setLevel"

	methodCallTool     = "tools/call"
	methodListTools    = "tools/list"
	methodReadResource = "resources/read"
	methodSubscribe    = "resources/subscribe"
	methodUnsubscribe  = "resources/unsubscribe"
	methodListen       = "subscriptions/listen"

	methodInitialized = "notifications/initialized"
	methodCancelled   = "notifications/cancelled"
	methodProgress    = "notifications/progress"
	methodMessage     = "notifications/message"

	methodElicitComplete = "notifications/elicitation/complete"
	methodAcknowledged   = "notifications/subscriptions/acknowledged"
	methodUpdated        = "notifications/resources/updated"
)

// A feature is a capability of the server that has methods or events of its own.
type feature uint16

const (
	featureTools feature = 1 << iota
	featureResources
	featurePrompts
	featureLogging
	featureCompletions
	featureSubscribe
	featureToolsChanged
	featurePromptsChanged
	featureResourcesChanged
	featureTasks // of a server that was initialized
)

// A param is a member of params that goes upstream (T50).
type param struct {
	member   member
	name     string                                        // in place of member, if that is not recorded
	first    byte                                          // first byte of a value of the right type
	required bool                                          // else null counts as absent
	check    func(m *jsonrpc.Message, s jsonrpc.Span) bool // what else must hold; may be nil
}

// A term is how long an answer to a method may take (T51).
type term uint8

const (
	termList term = iota // lists and completion
	termRead             // the first round of a read or a prompt
	termCall             // a round of a call
)

// A method is a request toward the upstream: a row of T50, or discover.
type method struct {
	name    string
	feature feature
	params  []param
	term    term
	paged   bool   // T72
	rounds  bool   // the result may ask for input
	relayed bool   // it is passed on as it is, to a server of the same revision
	listens bool   // it is a stream of notifications, of a front that opens it itself
	watches bool   // it changes what the stream of notifications carries, and does not go upstream itself (T162)
	named   member // its value is a header over HTTP (T195); zero for none
	array   member // the array that the result must have (T73), but for a tool's
	key     string // the string that each of its elements must have
	// shape does what the rules want with the result, beyond those for every one.
	shape func(h *answerWork)
	// element checks and mends an element of the array. It returns the end of the
	// element, and the rule that it broke if it must not reach the front.
	element func(h *answerWork, w *jsonrpc.Walk) (end int, broken string)
}

// discover is what initialize becomes (T10), and opening what it stays to a server that
// has it (L3).
var (
	discover = method{name: methodDiscover}
	opening  = method{name: methodInitialize, shape: (*answerWork).handshakeResult}
)

var (
	listParams = []param{{member: memCursor, first: '"'}}

	methods = byName(
		method{name: methodCallTool, feature: featureTools, rounds: true, named: memName, term: termCall, shape: (*answerWork).toolResult,
			params: []param{{member: memName, first: '"', required: true}, {member: memArguments, first: '{'}}},
		method{name: methodListTools, feature: featureTools, params: listParams, paged: true,
			shape: (*answerWork).array, array: memTools, key: "name", element: (*answerWork).tool},
		method{name: "resources/list", feature: featureResources, params: listParams, paged: true,
			shape: (*answerWork).array, array: memResources, key: "uri", element: (*answerWork).resource},
		method{name: "resources/templates/list", feature: featureResources, params: listParams, paged: true,
			shape: (*answerWork).array, array: memTemplates, key: "uriTemplate", element: (*answerWork).keyed},
		method{name: methodReadResource, feature: featureResources, rounds: true, named: memURI, term: termRead, shape: (*answerWork).array,
			params: []param{{member: memURI, first: '"', required: true}},
			array:  memContents, key: "uri", element: (*answerWork).contents},
		method{name: methodSubscribe, feature: featureSubscribe, watches: true,
			params: []param{{member: memURI, first: '"', required: true}}},
		method{name: methodUnsubscribe, feature: featureSubscribe, watches: true,
			params: []param{{member: memURI, first: '"', required: true}}},
		method{name: "prompts/list", feature: featurePrompts, params: listParams, paged: true,
			shape: (*answerWork).array, array: memPrompts, key: "name", element: (*answerWork).keyed},
		method{name: "prompts/get", feature: featurePrompts, rounds: true, named: memName, term: termRead, shape: (*answerWork).array,
			params: []param{{member: memName, first: '"', required: true}, {member: memArguments, first: '{', check: onlyStrings}},
			array:  memMessages, element: (*answerWork).message},
		method{name: "completion/complete", feature: featureCompletions, shape: (*answerWork).completion,
			params: []param{
				{name: "ref", first: '{', required: true, check: isReference},
				{name: "argument", first: '{', required: true, check: isArgument},
				{name: "context", first: '{'},
			}},
	)
)

func byName(rows ...method) map[string]*method {
	table := make(map[string]*method, len(rows))
	for i := range rows {
		table[rows[i].name] = &rows[i]
	}
	return table
}
