package mcpwire

import "slices"

// A member is a direct member of params or result that some rule reads: its
// place in [Members].
type member int

const (
	memMeta member = iota
	memName
	memURI
	memCursor
	memArguments
	memProtocolVersion
	memCapabilities
	memClientInfo
	memLevel
	memRequestID
	memReason
	memProgressToken
	memProgress
	memTotal
	memMessage
	memLogger
	memData
	memRef
	memArgument
	memContext
	memResultType
	memTTL
	memCacheScope
	memInputRequests
	memRequestState
	memNextCursor
	memSupportedVersions
	memServerInfo
	memInstructions
	memContent
	memStructuredContent
	memIsError
	memTools
	memResources
	memTemplates
	memPrompts
	memContents
	memMessages
	memCompletion
)

var memberNames = [...]string{
	memMeta:              "_meta",
	memName:              "name",
	memURI:               "uri",
	memCursor:            "cursor",
	memArguments:         "arguments",
	memProtocolVersion:   "protocolVersion",
	memCapabilities:      "capabilities",
	memClientInfo:        "clientInfo",
	memLevel:             "level",
	memRequestID:         "requestId",
	memReason:            "reason",
	memProgressToken:     "progressToken",
	memProgress:          "progress",
	memTotal:             "total",
	memMessage:           "message",
	memLogger:            "logger",
	memData:              "data",
	memRef:               "ref",
	memArgument:          "argument",
	memContext:           "context",
	memResultType:        "resultType",
	memTTL:               "ttlMs",
	memCacheScope:        "cacheScope",
	memInputRequests:     "inputRequests",
	memRequestState:      "requestState",
	memNextCursor:        "nextCursor",
	memSupportedVersions: "supportedVersions",
	memServerInfo:        "serverInfo",
	memInstructions:      "instructions",
	memContent:           "content",
	memStructuredContent: "structuredContent",
	memIsError:           "isError",
	memTools:             "tools",
	memResources:         "resources",
	memTemplates:         "resourceTemplates",
	memPrompts:           "prompts",
	memContents:          "contents",
	memMessages:          "messages",
	memCompletion:        "completion",
}

// Members returns the names that a [jsonrpc.Reader] on either side of a session
// must record, in this order. They are the members that a rule reads, so a line
// that has one of them twice is a bad line (W11).
func Members() []string { return slices.Clone(memberNames[:]) }
