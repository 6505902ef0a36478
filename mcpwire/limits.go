package mcpwire

import "time"

// Limits bound a [Session]. A zero field, or one out of its range, means the
// default; none can be infinite.
type Limits struct {
	// InFlight is the number of requests of the front that may wait for an
	// answer at a time. If zero, it is 256, which is also the most.
	InFlight int

	// Held bounds the bytes of all messages that are held at once: those that the
	// caller of the session holds (see [Session.Waiting]), and the requests in
	// flight, which are kept to be sent again. A request that would be over it is
	// refused at once. If zero, it is 128 MiB.
	Held int

	// Discover bounds the wait for the answer to server/discover. If zero, it is
	// 60 seconds.
	Discover time.Duration

	// Probe is how long server/discover alone is waited for on stdio before an upstream
	// that does not answer is initialized, too (L1). If zero, it is 10 seconds; if it is
	// no less than Discover, that does not happen.
	Probe time.Duration

	// List bounds the wait for an answer to a list request or a completion, Read
	// that for the first answer to resources/read or prompts/get, Call that for
	// an answer to tools/call (T51). If zero, they are 120 seconds, 120 seconds
	// and an hour. Progress does not extend them.
	List, Read, Call time.Duration

	// Rounds is how often one request may ask for input, and Inputs how many
	// questions it may ask at a time (T112). If zero, they are 10 and 16.
	Rounds, Inputs int

	// RequestState bounds the state of the upstream that is given back to it, in
	// bytes (T127). If zero, it is 64 KiB.
	RequestState int

	// Input bounds the wait for the front's answers of one round (T120), and that
	// for the answer to each later round of resources/read or prompts/get. If zero,
	// it is an hour.
	Input time.Duration

	// Initialized bounds how long questions wait for the front to say that it is
	// initialized (T12). If zero, it is 30 seconds.
	Initialized time.Duration

	// Inquiries is how many requests of an older upstream the front may have open at a
	// time, and Roots bounds the wait for its answer to roots/list, as Input does for the
	// others (U18). If zero, they are 8 and 60 seconds.
	Inquiries int
	Roots     time.Duration

	// InputRate and InputBurst bound the questions to the front: so many a second,
	// and so many at once, of which there are never less than Inputs. Those of a
	// round over the rate wait (I13). If zero, they are 10 and 20.
	InputRate, InputBurst int

	// PauseMin and PauseMax bound the pause before a request goes out again whose
	// upstream asked for nothing (T129). PauseMin is also the pause before one that did
	// not reach an upstream over HTTP is sent once more. If zero, they are 250 milliseconds and 5
	// seconds.
	PauseMin, PauseMax time.Duration

	// Drain bounds how long answers are awaited after the end of the front's
	// input, before the requests are cancelled. If zero, it is 250 milliseconds.
	Drain time.Duration

	// Listen bounds the wait for the acknowledgement of a stream of notifications,
	// and with it the wait for the answer to resources/subscribe and
	// resources/unsubscribe. If zero, it is 30 seconds.
	Listen time.Duration

	// ListenDrain bounds the wait for the end of a stream that is replaced, before
	// the next one is opened. If zero, it is 250 milliseconds.
	ListenDrain time.Duration

	// Relisten is the wait before a lost stream is opened again. It doubles with
	// each loss up to RelistenMax, and starts again after a stream that has lived
	// for ListenAlive after its acknowledgement. With [Options.Rand], each wait is
	// up to a fifth shorter or longer than that. If zero, they are 500
	// milliseconds, 30 seconds and 10 seconds.
	Relisten, RelistenMax, ListenAlive time.Duration

	// RetryAfter bounds how long an upstream over HTTP can have the session wait before
	// it opens a lost stream again. If zero, it is 300 seconds.
	RetryAfter time.Duration

	// URIs and URIBytes bound what the front is subscribed to at a time: resources,
	// and bytes of their URIs together. If zero, they are 1000 URIs and 4 MiB.
	URIs, URIBytes int

	// Pages is the number of pages of one walk through a list. If zero, it is
	// 1000.
	Pages int

	// Cursor bounds the cursor of a page that a list may name as its next one, in
	// bytes as it stands in the line; a list whose cursor is longer ends there (T72).
	// A cursor of the front is longer than any that it was given if it is over six
	// times that, which is what escapes can make of one: such a request is refused. If
	// zero, it is 64 KiB.
	Cursor int

	// ProgressRate and ProgressBurst bound the progress of one request toward the
	// front: so many notifications a second, and so many at once. No second holds
	// more than both together. If zero, they are 40 and 10, so that 50 pass in a
	// second (T142).
	ProgressRate, ProgressBurst int

	// LogRate and LogBurst bound the log messages toward the front: so many a
	// second, and so many at once. If zero, they are 50 and 100.
	LogRate, LogBurst int

	// Notification bounds one notification of the upstream, in bytes of its line: what
	// is larger is dropped. The acknowledgement of a stream may be longer by six times
	// URIBytes, for the URIs that it repeats. If zero, it is 1 MiB.
	Notification int

	// Completions is the number of values that a completion may offer. If zero, it
	// is 100, which is also the most.
	Completions int

	// ListedURIs and ListedBytes bound what is kept of listed resources to find the
	// one that the editor means (see [Profile.EditorURIs]): URIs, and bytes of them and
	// of what the editor may make of them together. Over one of these no URI is replaced
	// any more. If zero, they are 10000 URIs and 4 MiB.
	ListedURIs, ListedBytes int

	// ToolPages bounds one reading of the list of tools that the session asks for itself
	// over HTTP, to know which arguments become headers (T199), in pages; List bounds how
	// long it takes. If zero, it is 50 pages.
	ToolPages int

	// IndexedTools and IndexedBytes bound what is kept of listed tools for that: tools,
	// and bytes. A tool for which there is no room is called without these headers. If
	// zero, they are 10000 tools and 4 MiB.
	IndexedTools, IndexedBytes int

	// Headers bounds what the content of one request becomes over HTTP in headers, in
	// bytes of names and of values before they are encoded. A request over it is refused.
	// If zero, it is 64 KiB.
	Headers int

	// ExtraMeta bounds the _meta members of the front that go upstream with one
	// request or one answer, and what each request says of the front itself, in bytes.
	// If zero, it is 16 KiB.
	ExtraMeta int

	// FormBytes, FormSchemas and Pattern bound the schema of one form: bytes,
	// subschemas (the form itself, its fields, their items and titled choices), and
	// bytes of one pattern. A form over one of these is refused (T118). If zero, they
	// are 256 KiB, 1000 and 1 KiB.
	FormBytes, FormSchemas, Pattern int

	// SchemaDepth and Subschemas bound the repair of one schema of a tool. If
	// zero, they are 64 levels and 10000 subschemas.
	SchemaDepth, Subschemas int
}

// maxCompletions is the most values that either revision lets a completion have.
const maxCompletions = 100

// maxInFlight is the size of the table of slots: requests in flight at a time.
const maxInFlight = 256

// withDefaults returns l with each default in its place.
func (l Limits) withDefaults() Limits {
	if l.InFlight > maxInFlight {
		l.InFlight = 0
	}
	if l.Completions > maxCompletions {
		l.Completions = 0
	}
	inputs := or(l.Inputs, 16)
	return Limits{
		InFlight:      or(l.InFlight, maxInFlight),
		ProgressRate:  or(l.ProgressRate, 40),
		ProgressBurst: or(l.ProgressBurst, 10),
		LogRate:       or(l.LogRate, 50),
		LogBurst:      or(l.LogBurst, 100),
		Notification:  or(l.Notification, 1<<20),
		Completions:   or(l.Completions, maxCompletions),
		ListedURIs:    or(l.ListedURIs, 10_000),
		ListedBytes:   or(l.ListedBytes, 4<<20),
		Held:          or(l.Held, 128<<20),
		Discover:      or(l.Discover, 60*time.Second),
		Probe:         or(l.Probe, 10*time.Second),
		Inquiries:     or(l.Inquiries, 8),
		Roots:         or(l.Roots, 60*time.Second),
		List:          or(l.List, 120*time.Second),
		Read:          or(l.Read, 120*time.Second),
		Call:          or(l.Call, time.Hour),
		Rounds:        or(l.Rounds, 10),
		Inputs:        inputs,
		RequestState:  or(l.RequestState, 64<<10),
		Input:         or(l.Input, time.Hour),
		Initialized:   or(l.Initialized, 30*time.Second),
		InputRate:     or(l.InputRate, 10),
		InputBurst:    max(or(l.InputBurst, 20), inputs),
		PauseMin:      or(l.PauseMin, 250*time.Millisecond),
		PauseMax:      max(or(l.PauseMax, 5*time.Second), or(l.PauseMin, 250*time.Millisecond)),
		Drain:         or(l.Drain, 250*time.Millisecond),
		Listen:        or(l.Listen, 30*time.Second),
		ListenDrain:   or(l.ListenDrain, 250*time.Millisecond),
		Relisten:      or(l.Relisten, 500*time.Millisecond),
		RelistenMax:   or(l.RelistenMax, 30*time.Second),
		ListenAlive:   or(l.ListenAlive, 10*time.Second),
		RetryAfter:    or(l.RetryAfter, 300*time.Second),
		URIs:          or(l.URIs, 1000),
		URIBytes:      or(l.URIBytes, 4<<20),
		Pages:         or(l.Pages, 1000),
		Cursor:        or(l.Cursor, 64<<10),
		ToolPages:     or(l.ToolPages, 50),
		IndexedTools:  or(l.IndexedTools, 10_000),
		IndexedBytes:  or(l.IndexedBytes, 4<<20),
		Headers:       or(l.Headers, 64<<10),
		ExtraMeta:     or(l.ExtraMeta, 16<<10),
		FormBytes:     or(l.FormBytes, 256<<10),
		FormSchemas:   or(l.FormSchemas, 1000),
		Pattern:       or(l.Pattern, 1<<10),
		SchemaDepth:   or(l.SchemaDepth, 64),
		Subschemas:    or(l.Subschemas, 10_000),
	}
}

// of returns the limit for an answer to md, of which rounds have asked for input.
func (l *Limits) of(md *method, rounds int) time.Duration {
	switch {
	case md.term == termCall:
		return l.Call
	case md.term == termRead && rounds > 0:
		return l.Input
	case md.term == termRead:
		return l.Read
	default:
		return l.List
	}
}

// isLonger reports whether n bytes of a JSON string are more than escapes can make of
// bytes.
func isLonger(n, bytes int) bool { return (n-1)/len(`\u0000`) >= bytes }

func or[T int | time.Duration](v, def T) T {
	if v <= 0 {
		return def
	}
	return v
}
