package mcpwire

import "time"

// An EventKind says what happened.
type EventKind uint8

// The events of a session.
const (
	EventInitializeFailed EventKind = 1 + iota // initialize was answered by an error; Cause says why
	EventReady                                 // the initialize result was written
	EventDropped                               // a message, or elements of a list, were left out
	EventRepaired                              // values were mended
	EventViolation                             // the upstream broke its revision; the request failed
	EventExchange                              // an exchange with the upstream has ended
	EventRefused                               // another request was answered by an error of the session; Cause says which
	EventCancelled                             // the front has cancelled a request
	EventUnanswered                            // requests were cancelled because the front's input had ended
	EventInput                                 // an exchange with the upstream has ended by questions, Count of them
	EventListenLost                            // the stream of notifications has ended; it is opened again after a wait
	EventListenStopped                         // the upstream refused the stream of notifications; it is opened again when the front changes a subscription, or by a sign-in
	EventReopened                              // the session with an older upstream is opened anew, which had forgotten it
	EventNarrowed                              // the stream of notifications carries less than was asked for, by Count
)

// An Event is worth a line in a log. It never holds a payload: Rule and Method
// are constants of this package.
type Event struct {
	Kind     EventKind
	Rule     string        // the rule that was applied, such as "T72"
	Method   string        // of the request, if it is one of the protocol's
	Revision string        // of the upstream, if the session is ready; Method found it
	Cause    Cause         // of a failure; initialize without one was refused by the upstream
	Status   int           // of HTTP, if initialize failed by one
	Count    int           // how many elements or values
	Round    int           // of an exchange: 1, or more after questions (T110)
	Took     time.Duration // of an exchange
}
