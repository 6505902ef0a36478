package session

import (
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// An Upstream is a server. It takes messages, and hands over what the server says by an
// [Entrant] for each goroutine that does so. A server that speaks line by line is one by
// [NewLined].
type Upstream interface {
	// Start begins to hand over. It is called once, before all others.
	Start(s *Session)

	// Append takes a message to send. It is called inside the door: it does not block,
	// and copies what it keeps, or holds it.
	Append(f *mcpwire.Frame)
	// TakeBack cancels the exchange ex, which is not zero. It is called inside the door. It
	// reports false, and does nothing, if only a message can do that, since the request
	// was sent already.
	TakeBack(ex mcpwire.Exchange) bool
	// Waiting returns the number of bytes that were not sent yet.
	Waiting() int
	// Flush sends what was appended. It waits for nobody.
	Flush()

	// End says that nothing more is sent once what waits is. It may be called again.
	End()
	// Drop gives up what waits.
	Drop()
	// Stop returns when the server has ended, or was made to: after twice grace. End must
	// have been called, or be on its way.
	Stop(grace time.Duration)
	// Done is closed when all that the server has sent was handed over.
	Done() <-chan struct{}
	// Interrupt makes that be soon.
	Interrupt()
	// Close gives back what Stop leaves. Done must be closed.
	Close()
}

// OverHTTP is an [Upstream] behind HTTP: each request has a response of its own, which can
// end, and there is more than one way to speak to an older server. Its methods are called
// inside the door.
type OverHTTP interface {
	Upstream

	// Over ends the exchange ex, of which nothing more is wanted.
	Over(ex mcpwire.Exchange)
	// OldTransport says that the server is to be reached as 2024-11-05 has it, from the
	// next request on that opens a session.
	OldTransport()
	// Stream asks for what the server says outside of responses.
	Stream()
}

// nobody is the upstream of a session whose server could not be started.
type nobody struct{}

func (nobody) Start(s *Session)               { s.NewEntrant().Lost(mcpwire.CauseUpstreamExited) }
func (nobody) Append(*mcpwire.Frame)          {}
func (nobody) TakeBack(mcpwire.Exchange) bool { return true }
func (nobody) Waiting() int                   { return 0 }
func (nobody) Flush()                         {}
func (nobody) End()                           {}
func (nobody) Drop()                          {}
func (nobody) Stop(time.Duration)             {}
func (nobody) Interrupt()                     {}
func (nobody) Close()                         {}

func (nobody) Done() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}
