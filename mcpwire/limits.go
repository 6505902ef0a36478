package mcpwire

import "time"

// Limits bound a [Session]. A zero field, or one out of its range, means the
// default; none can be infinite.
type Limits struct {
	// InFlight is the number of requests of the front that may wait for an
	// answer at a time. If zero, it is 256, which is also the most.
	InFlight int

	// Discover bounds the wait for the answer to server/discover. If zero, it is
	// 60 seconds.
	Discover time.Duration

	// List bounds the wait for an answer to a list request or a completion, Read
	// that for the first answer to resources/read or prompts/get, Call that for
	// an answer to tools/call (T51). If zero, they are 120 seconds, 120 seconds
	// and an hour. Progress does not extend them.
	List, Read, Call time.Duration

	// Drain bounds how long answers are awaited after the end of the front's
	// input, before the requests are cancelled. If zero, it is 250 milliseconds.
	Drain time.Duration

	// Pages is the number of pages of one walk through a list. If zero, it is
	// 1000.
	Pages int

	// ExtraMeta bounds the _meta members of the front that go upstream, in bytes.
	// If zero, it is 16 KiB.
	ExtraMeta int

	// SchemaDepth and Subschemas bound the repair of one schema of a tool. If
	// zero, they are 64 levels and 10000 subschemas.
	SchemaDepth, Subschemas int
}

// maxInFlight is the size of the table of slots: requests in flight at a time.
const maxInFlight = 256

// withDefaults returns l with each default in its place.
func (l Limits) withDefaults() Limits {
	if l.InFlight > maxInFlight {
		l.InFlight = 0
	}
	return Limits{
		InFlight:    or(l.InFlight, maxInFlight),
		Discover:    or(l.Discover, 60*time.Second),
		List:        or(l.List, 120*time.Second),
		Read:        or(l.Read, 120*time.Second),
		Call:        or(l.Call, time.Hour),
		Drain:       or(l.Drain, 250*time.Millisecond),
		Pages:       or(l.Pages, 1000),
		ExtraMeta:   or(l.ExtraMeta, 16<<10),
		SchemaDepth: or(l.SchemaDepth, 64),
		Subschemas:  or(l.Subschemas, 10_000),
	}
}

// of returns the limit for an answer to md.
func (l *Limits) of(md *method) time.Duration {
	switch md.term {
	case termRead:
		return l.Read
	case termCall:
		return l.Call
	default:
		return l.List
	}
}

func or[T int | time.Duration](v, def T) T {
	if v <= 0 {
		return def
	}
	return v
}
