package mcpwire

import (
	"crypto/sha256"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A questionKind is what a question asks of the front.
type questionKind uint8

const (
	askForm questionKind = iota
	askURL
	askContinue // a form of the bridge, after which the person goes on (T125, I17)
	askSampling
	askRoots
)

// Methods of the requests toward the front.
const (
	methodElicit    = "elicitation/create"
	methodSample    = "sampling/createMessage"
	methodListRoots = "roots/list"
)

// A question is an entry of the inputRequests of a round (T114).
type question struct {
	key     []byte // its name there: a raw string token
	kind    questionKind
	params  []byte  // toward the front, without the closing brace (T119); empty if there are none
	form    *form   // what the answer must satisfy (T121), of askForm
	subject subject // of an elicitation
	id      string  // the elicitationId (T123)
	repeats bool    // a question before it asks for the same URL, whose answer holds for both (T125)
	number  uint32  // N of its id b-N toward the front; zero until it was sent
	answer  []byte  // its value in inputResponses; nil until there is one
}

// isOpen reports whether the question has to be asked, or was and waits for its answer.
func (q *question) isOpen() bool { return q.answer == nil && !q.repeats }

// A subject is the digest of what a person is asked, to tell whether it is the same
// again: of the parameters of a form, or of a URL as the upstream wrote it. What was
// refused, or opened, is remembered longer than the question is held, whose text
// can be as long as a line.
type subject [sha256.Size]byte

func (q *question) method() string {
	switch q.kind {
	case askSampling:
		return methodSample
	case askRoots:
		return methodListRoots
	default:
		return methodElicit
	}
}

// A questioner reads the entries of inputRequests.
type questioner struct {
	m   *jsonrpc.Message
	can capability // of the front
	o   *Options
	*notes
	front revision // of the front (O9)
}

// read implements T114 and T115 for an entry at s, whose kind has its own rules. It
// reports false if the entry must not be answered.
func (r *questioner) read(q *question, s jsonrpc.Span) bool {
	var found [2]picked
	pickOf(r.m, s, found[:], "method", "params")
	return !anyTwice(found[:]) && r.ask(q, found[0].Value, found[1].Value)
}

// ask reads a question by its method and parameters.
func (r *questioner) ask(q *question, method, params jsonrpc.Span) bool {
	switch {
	case r.m.Is(method, methodListRoots):
		q.kind = askRoots
		return r.can&canListRoots != 0
	case r.m.First(params) != '{':
		return false
	case r.m.Is(method, methodSample):
		return r.can&canSample != 0 && r.sampling(q, params)
	case r.m.Is(method, methodElicit):
		return r.elicitation(q, params)
	default:
		return false
	}
}

// sampling implements T117 and T119 for sampling.
func (r *questioner) sampling(q *question, params jsonrpc.Span) bool {
	found, ok := r.readSampling(params)
	if !ok {
		return false
	}
	if r.front.plainQuestions() {
		at := &found[samplingMessages]
		if at.instead, ok = olderMessages(r.m, at.Value, r.front); !ok {
			return false
		}
	}
	b := r.appendSampling(nil, found)
	q.kind, q.params = askSampling, b[:len(b)-1]
	return true
}

// elicitation reads an entry that asks a person, by a form unless it says otherwise.
func (r *questioner) elicitation(q *question, s jsonrpc.Span) bool {
	var found [4]picked
	pickOf(r.m, s, found[:], "mode", "message", "requestedSchema", "url")
	mode, message := found[0].Value, found[1].Value
	if anyTwice(found[:]) || r.m.First(message) != '"' {
		return false
	}
	switch {
	case mode.IsZero(), r.m.Is(mode, "form"):
		return r.can&canForm != 0 && r.form(q, mode, message, found[2].Value)
	case r.m.Is(mode, "url"):
		return r.can&canURL != 0 && r.url(q, message, found[3].Value)
	default:
		return false
	}
}

// form implements T118 and T119 for a form. One without fields is shown as the
// Continue form where the profile wants that (I17).
func (r *questioner) form(q *question, mode, message, schema jsonrpc.Span) bool {
	f, ok := readForm(r.m, schema, &r.o.Limits)
	if !ok {
		return false
	}
	q.kind, q.form = askForm, f
	if f.empty() && r.o.Profile.ContinueForm {
		q.kind = askContinue
		q.params = appendContinue(nil, r.m.AppendSpan(nil, message))
		q.subject = sha256.Sum256(q.params)
		return true
	}
	b, shown := []byte{'{'}, []byte(nil)
	if r.front.plainQuestions() {
		mode = jsonrpc.Span{}
		shown, ok = olderForm(r.m, schema, f)
	} else {
		shown = r.m.AppendSpan(nil, schema)
	}
	if !mode.IsZero() {
		b = appendMember(b, "mode", r.m.AppendSpan(nil, mode))
	}
	b = appendMember(b, "message", r.m.AppendSpan(nil, message))
	q.params = appendMember(b, "requestedSchema", shown)
	q.subject = sha256.Sum256(q.params)
	return ok
}

// url implements T116 and T119 for a URL. One that must not be shown is declined for
// the front, which is not asked.
func (r *questioner) url(q *question, message, at jsonrpc.Span) bool {
	url, ok := r.m.String(at)
	if !ok {
		return false
	}
	q.kind, q.subject = askURL, sha256.Sum256([]byte(url))
	shown, flagged, ok := checkURL(url)
	if !ok {
		q.answer = appendAction(nil, actionDecline)
		r.note(EventDropped, "T116", 1)
		return true
	}
	if flagged {
		r.note(EventRepaired, "I14", 1)
	}
	b := appendMember([]byte{'{'}, "mode", []byte(`"url"`))
	b = appendMember(b, "message", r.m.AppendSpan(nil, message))
	q.params = appendMember(b, "url", jsonrpc.AppendQuote(nil, shown))
	return true
}

// continueMessage is what a person reads who is to finish something in a browser.
var continueMessage = []byte(`"Finish in the browser, then choose Continue here."`)

// appendContinue appends the parameters of the Continue form: one choice, since an
// editor shows nothing for a form without fields.
func appendContinue(b, message []byte) []byte {
	b = append(append(b, `{"mode":"form","message":`...), message...)
	return append(b, `,"requestedSchema":{"type":"object","properties":{"next":`+
		`{"type":"string","title":"Next","enum":["Continue"],"default":"Continue"}},"required":["next"]}`...)
}
