package mcpwire

import "github.com/trestle-mcp/trestle/jsonrpc"

// Methods of both revisions, toward the upstream or answered here.
const (
	methodInitialize = "initialize"
	methodDiscover   = "server/discover"
	methodPing       = "ping"
	methodSetLevel   = "logging/setLevel"

	methodCallTool     = "tools/call"
	methodReadResource = "resources/read"

	methodInitialized = "notifications/initialized"
	methodCancelled   = "notifications/cancelled"
)

// A feature is a capability of the server that has methods of its own.
type feature uint8

const (
	featureTools feature = 1 << iota
	featureResources
	featurePrompts
)

// A param is a member of params that goes upstream (T50).
type param struct {
	member   member
	first    byte // first byte of a value of the right type
	required bool // else null counts as absent
	strings  bool // an object with strings only
}

// A method is a request toward the upstream: a row of T50, or discover.
type method struct {
	name    string
	feature feature
	params  []param
	paged   bool   // T72
	rounds  bool   // the result may ask for input
	array   member // the array that the result must have (T73), but for a tool's
	key     string // the string that each of its elements must have
	// element checks and mends an element of the array. It returns the end of the
	// element, and the rule that it broke if it must not reach the front.
	element func(h *Shape, w *jsonrpc.Walk) (end int, broken string)
}

// discover is what initialize becomes (T10).
var discover = method{name: methodDiscover}

var (
	listParams = []param{{member: memCursor, first: '"'}}

	methods = byName(
		method{name: methodCallTool, feature: featureTools, rounds: true,
			params: []param{{member: memName, first: '"', required: true}, {member: memArguments, first: '{'}}},
		method{name: "tools/list", feature: featureTools, params: listParams, paged: true,
			array: memTools, key: "name", element: (*Shape).tool},
		method{name: "resources/list", feature: featureResources, params: listParams, paged: true,
			array: memResources, key: "uri", element: (*Shape).keyed},
		method{name: "resources/templates/list", feature: featureResources, params: listParams, paged: true,
			array: memTemplates, key: "uriTemplate", element: (*Shape).keyed},
		method{name: methodReadResource, feature: featureResources, rounds: true,
			params: []param{{member: memURI, first: '"', required: true}},
			array:  memContents, key: "uri", element: (*Shape).contents},
		method{name: "prompts/list", feature: featurePrompts, params: listParams, paged: true,
			array: memPrompts, key: "name", element: (*Shape).keyed},
		method{name: "prompts/get", feature: featurePrompts, rounds: true,
			params: []param{{member: memName, first: '"', required: true}, {member: memArguments, first: '{', strings: true}},
			array:  memMessages, element: (*Shape).message},
	)
)

func byName(rows ...method) map[string]*method {
	table := make(map[string]*method, len(rows))
	for i := range rows {
		table[rows[i].name] = &rows[i]
	}
	return table
}
