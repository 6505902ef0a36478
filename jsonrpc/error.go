package jsonrpc

// A Fault says what is wrong with a line.
type Fault uint8

// The faults of a line. A line that is too long is [FaultTooLong] whatever else
// is wrong with it; a line that is not JSON is not [FaultShape] or
// [FaultDuplicate].
const (
	FaultSyntax    Fault = 1 + iota // not JSON, not UTF-8, or a lone surrogate escape
	FaultShape                      // JSON, but not a JSON-RPC 2.0 message
	FaultDuplicate                  // a member of the envelope, or a recorded one, stands twice
	FaultTooLong                    // longer than MaxLine
	FaultTooDeep                    // nested deeper than MaxDepth
)

// A LineError is the error for one bad line.
type LineError struct {
	Fault Fault

	// ID is the raw token of the id of the line, if it could be recovered and is
	// a string or a number of at most 4096 bytes. It is a copy. If the id stands
	// twice, both must be the same token, or it is nil. An id that stands first, or
	// behind jsonrpc and method only, is recovered if another name and its colon stand
	// behind it, whatever follows these. Behind anything else it is recovered only if
	// the brackets and quotes of the line are still in order, or it might be the id of
	// something nested.
	ID []byte

	// LegalID says that ID is a string or an integer.
	LegalID bool

	// Method says that the line seems to have a member method: it was meant as a
	// request or notification, so ID is not the one of a call of the receiver.
	Method bool

	// Response says that the line seems to be a response: it has no method, and a
	// result or an error.
	Response bool
}

// Error returns a constant text for the fault.
func (e *LineError) Error() string {
	switch e.Fault {
	case FaultSyntax:
		return "jsonrpc: line is not valid JSON"
	case FaultShape:
		return "jsonrpc: line is not a JSON-RPC 2.0 message"
	case FaultDuplicate:
		return "jsonrpc: line holds a member twice"
	case FaultTooLong:
		return "jsonrpc: line is too long"
	case FaultTooDeep:
		return "jsonrpc: line is nested too deep"
	}
	return "jsonrpc: bad line"
}

// An Error is the error of a response.
type Error struct {
	Code    int
	Message string
	Data    []byte // raw JSON; nil if absent
}

// The error codes of JSON-RPC 2.0.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603
)

// Error returns the message. It comes from the peer.
func (e *Error) Error() string { return e.Message }
