package mcpwire

import (
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A Question is what [Session.Ask] asks of the person at the front: to open the page of a
// sign-in. It is neither printed nor encoded, since the URL holds what proves that a
// redirect is the answer to it.
type Question struct {
	// URL is the page. It must be one that an upstream could have shown (T116): with https,
	// or http on this host.
	URL string

	// Host is the host that wants the sign-in, with its port if it has one. What cannot be
	// a host is not shown.
	Host string

	// Scopes are what the sign-in asks for, with blanks between them, or empty. Those that
	// could be taken for something else than a name are counted, not shown.
	Scopes string
}

// Format writes that there is something to hide.
func (Question) Format(f fmt.State, r rune) { secret{}.Format(f, r) }

// LogValue says the same in a log.
func (Question) LogValue() slog.Value { return secret{}.LogValue() }

// MarshalText returns an error.
func (Question) MarshalText() ([]byte, error) { return secret{}.MarshalText() }

// An Asked is a question that was put to the front.
type Asked struct {
	number uint32
	id     string // the elicitationId (T123)
	state  askedState
}

// An askedState is what has become of a question.
type askedState uint8

const (
	askedOpen      askedState = iota
	askedAccepted             // the front opens the page
	askedWithdrawn            // it was told that there is no need to, and may show the page still
	askedOver                 // nothing more is to be said
)

// An Answer says how a question has ended.
type Answer uint8

// The answers.
const (
	Accepted   Answer = 1 + iota // the person opens the page, which says nothing about the sign-in
	Declined                     // the person does not want to, or has closed the question
	Unanswered                   // an error of the front, or what is no answer
	Abandoned                    // the front's input has ended, or the upstream is lost; the question was taken back
)

// A Consent is the end of a question: there is one for each that was not withdrawn.
type Consent struct {
	Asked  *Asked
	Answer Answer
}

// initialized says that the front is initialized, which it may be asked for things from
// now on.
func (c *core) initialized(can capability, out *Steps) {
	c.asks = can&canURL != 0 && c.options.Rand != nil
	out.Initialized, out.CanAsk = true, c.asks
}

// Ask puts a question to the front, which is no part of a request and counts against no
// limit (T134). Its answer comes in [Steps.Consents] of a later call. Ask returns nil, and
// does nothing, if the front cannot be asked: before or without [Steps.CanAsk], after
// [Session.End] or [Session.Lost], for a URL that must not be shown, or without random
// bytes.
func (s *Session) Ask(_ time.Time, q Question, out *Steps) *Asked {
	c := s.core
	url, _, ok := checkURL(q.URL)
	asks := question{kind: askURL}
	if !ok || !c.asks || c.ending || c.gone != "" || !c.identify(&asks) {
		return nil
	}
	asks.number = c.questions.next()
	asks.params = appendMember([]byte{'{'}, "mode", []byte(`"url"`))
	asks.params = appendMember(asks.params, "message", jsonrpc.AppendQuote(nil, q.message()))
	asks.params = appendMember(asks.params, "url", jsonrpc.AppendQuote(nil, url))
	a := &Asked{number: asks.number, id: asks.id}
	c.questions.own = append(c.questions.own, a)
	out.ToFront = append(out.ToFront, Frame{Exchange: Exchange(a.number), Lit: out.question(&asks)})
	return a
}

// Withdraw takes a question back that waits for its answer, which has no Consent then. The
// answer that the front may give all the same is dropped (T131).
func (s *Session) Withdraw(a *Asked, out *Steps) { s.core.withdraw(a, out) }

// Complete says that what the question was asked for has come about. It takes the question
// back if it waits still, and tells the front that the page is done with (T124, T134),
// once, unless the person has declined or the front could not ask.
func (s *Session) Complete(a *Asked, out *Steps) {
	c := s.core
	c.withdraw(a, out)
	if a.state == askedOver || c.ending {
		return
	}
	a.state = askedOver
	out.complete(a.id)
}

// withdraw takes a back if it is open.
func (c *core) withdraw(a *Asked, out *Steps) {
	if a.state == askedOpen {
		a.state = askedWithdrawn
		c.questions.own = slices.DeleteFunc(c.questions.own, func(o *Asked) bool { return o == a })
		out.withdraw(a.number, `"The sign-in that needed this has ended."`)
	}
}

// unasked takes back every question of the caller's that is open, for which nobody waits any
// more.
func (c *core) unasked(out *Steps) {
	for len(c.questions.own) > 0 {
		a := c.questions.own[0]
		c.withdraw(a, out)
		out.consent(a, Abandoned)
	}
}

// consented takes the answer to a question of the caller's. It reports false if the
// message is none. What follows an answer that is too long to be read here, inside the
// caller's lock, is what follows one that is none.
func (c *core) consented(m *jsonrpc.Message, out *Steps) bool {
	if len(c.questions.own) == 0 {
		return false
	}
	a := c.questions.takeOwn(m.AppendSpan(nil, m.ID))
	if a == nil {
		return false
	}
	var found [1]picked
	r := replyReader{m: m}
	answer := Unanswered
	if m.Len() <= maxInside { // an error has no result to read
		switch action, ok := r.readAction(found[:]); {
		case ok && action == actionAccept:
			answer = Accepted
		case ok:
			answer = Declined
		}
	}
	out.consent(a, answer)
	return true
}

// consent tells the caller the answer to a.
func (s *Steps) consent(a *Asked, answer Answer) {
	a.state = askedOver
	if answer == Accepted {
		a.state = askedAccepted
	}
	s.Consents = append(s.Consents, Consent{a, answer})
}

// next returns the number of the next question. None is used twice.
func (t *questionIndex) next() uint32 {
	t.last++
	return t.last
}

// takeOwn finds the question of the caller's with this id and forgets it: it is answered.
func (t *questionIndex) takeOwn(id []byte) *Asked {
	n := questionNumber(id)
	i := slices.IndexFunc(t.own, func(a *Asked) bool { return a.number == n })
	if i < 0 {
		return nil
	}
	a := t.own[i]
	t.own = slices.Delete(t.own, i, i+1)
	return a
}

// maxShownScopes is how much of the scopes a person is shown, in bytes.
const maxShownScopes = 512

// message is what the person reads. Host and scopes are of others: nothing of them can
// be taken for more than a name.
func (q *Question) message() string {
	host := "The server"
	if name, port, ok := splitAuthority(q.Host); ok {
		if name, _, ok = plainHost(name); ok {
			host = name + port
		}
	}
	text := host + " wants you to sign in. Open the page to go on."
	if scopes := shownScopes(q.Scopes); scopes != "" {
		text += " It asks for: " + scopes + "."
	}
	return text
}

// shownScopes returns the scopes with commas between them.
func shownScopes(list string) string {
	var shown []string
	size, left := 0, 0
	for scope := range strings.FieldsSeq(list) {
		if size += len(scope); size > maxShownScopes || !isPlainScope(scope) {
			size -= len(scope)
			left++
			continue
		}
		shown = append(shown, scope)
	}
	switch {
	case left == 1:
		shown = append(shown, "one more")
	case left > 1:
		shown = append(shown, strconv.Itoa(left)+" more")
	}
	return strings.Join(shown, ", ")
}

// isPlainScope reports whether a scope reads as a name, also where the text is shown as
// Markdown.
func isPlainScope(s string) bool {
	for _, c := range []byte(s) {
		if !isAlphanumeric(c) && !strings.ContainsRune("._:/-", rune(c)) {
			return false
		}
	}
	return true
}
