// Package mcpwire translates between revisions of the Model Context Protocol.
//
// A [Session] is the protocol state of one front (the client side of a bridge)
// and one upstream (the server side). It does no input or output: it is given
// messages, the time, and the end of things, and answers with [Steps], which the
// caller carries out. So any transport can drive it, and any transcript is a
// test.
//
// The package starts no goroutine, reads no clock, and has no randomness of its
// own. The rules that it follows carry the numbers of the translation table
// (T1, T2, …); the code of a rule, and its test, name the number.
package mcpwire

// The revisions of the protocol that this package speaks.
const (
	Revision20241105 = "2024-11-05"
	Revision20250326 = "2025-03-26"
	Revision20250618 = "2025-06-18"
	Revision20251125 = "2025-11-25"
	Revision20260728 = "2026-07-28" // the first one without a handshake
)

// A Side is one of the two peers of a session.
type Side uint8

// The sides of a session.
const (
	Front    Side = 1 + iota // the client side: an editor
	Upstream                 // the server side
)
