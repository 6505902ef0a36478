// Package session runs one client session: it is the one door to the protocol
// state, and carries out what that asks for.
//
// Whoever has a message enters the door with steps of its own, appends the lines
// that they hold to the lanes while inside, and flushes outside. So the order on
// each wire is the order of decisions, and nothing inside waits or does I/O.
package session

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/diag"
	"github.com/trestle-mcp/trestle/bridge/internal/lane"
	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// The errors of Run.
var (
	ErrLost   = errors.New("bridge: the server is lost")
	ErrDefect = errors.New("bridge: stopped by a defect of the bridge")
)

// A source gives the messages of one side.
type source interface {
	Read() (*jsonrpc.Message, error)
	Buffered() bool
}

// A Front is where the client's messages come from.
type Front interface {
	source
	// Interrupt makes a blocked Read return. It reports false if it cannot.
	Interrupt() bool
	// Restore undoes Interrupt for those who use the stream later.
	Restore()
}

// A Config is what a Session needs. Where nothing else is said, everything is
// required.
type Config struct {
	Wire  mcpwire.Options
	Front Front
	Out   io.Writer // toward the client

	// Upstream is nil if the server could not be started; then Refused says why,
	// to a person.
	Upstream Upstream
	Refused  error
	Exit     func() Exit // how it has ended, after its Stop; nil: there is nothing to say

	// Initialized is called once, when the client has said that it is initialized. canAsk
	// says that Ask can put a question. It may be nil; it must not wait.
	Initialized func(canAsk bool)

	Grace   time.Duration
	Untaken int // bytes that may wait because the front does not read

	Log    *slog.Logger
	Go     func(f func()) <-chan struct{} // starts a goroutine that recovers
	Defect <-chan struct{}                // closed when one of them had to
}

// An Exit says how an upstream has ended.
type Exit struct {
	Attrs  []slog.Attr
	Forced bool // it did not end by itself
}

// A Session is one client and one server.
type Session struct {
	Config
	events *diag.Events
	front  *lane.Lane
	up     Upstream

	closing atomic.Bool // nothing of the front is read any more
	givenUp atomic.Bool // the server was lost because of what it does, and that was said

	frontLost signal // the front does not take output
	upBroken  signal // the upstream does not take input
	lost      signal // Lost was carried out
	refused   signal // the initialize of a refused upstream was answered
	over      signal // Run is about to return

	client    <-chan struct{} // closed when the front reader has ended: its input has
	bothEnded bool            // the server was lost just before the session was to end
	clock     <-chan struct{} // closed when the timer goroutine has ended
	gone      mcpwire.Cause   // of an upstream that takes no input; set before upBroken is sent

	mu         sync.Mutex // the door; guards the fields below
	wire       *mcpwire.Session
	timers     timers
	consents   consents
	frontEnded bool // End was called: nothing of the front goes in any more
	shut       bool // a defect: the state may be anything
}

// A signal is a channel that is closed once.
type signal struct {
	c    chan struct{}
	once sync.Once
}

// send closes the channel. It reports whether it was the first to do so.
func (s *signal) send() (first bool) {
	s.once.Do(func() {
		close(s.c)
		first = true
	})
	return first
}

// New returns a session that has not begun.
func New(c *Config) *Session {
	s := &Session{Config: *c, events: diag.NewEvents(c.Log), wire: mcpwire.New(c.Wire)}
	s.consents.waiting = make(map[*mcpwire.Asked]chan<- mcpwire.Answer)
	for _, sig := range []*signal{&s.frontLost, &s.upBroken, &s.lost, &s.refused, &s.over} {
		sig.c = make(chan struct{})
	}
	if s.up = s.Upstream; s.up == nil {
		s.up = nobody{}
	}
	s.timers.next = time.NewTimer(time.Hour)
	s.timers.next.Stop()
	return s
}

// Run runs the session to its end. It returns nil after the end of the front's
// input or of ctx, ErrLost if the upstream is lost first, or ErrDefect.
func (s *Session) Run(ctx context.Context) error {
	s.start()
	err := ErrDefect // unless wait returns
	<-s.Go(func() { err = s.wait(ctx) })
	s.finish(err)
	select {
	case <-s.Defect:
		return ErrDefect
	default:
		return err
	}
}

func (s *Session) start() {
	s.front = lane.New(s.Out, lane.Options{Go: s.Go, Lost: func(error) { s.frontLost.send() }, Watched: true})
	s.clock = s.Go(s.runTimers)
	s.up.Start(s)
	s.client = s.Go(s.readFront)
}

// wait returns when the session is to end.
func (s *Session) wait(ctx context.Context) error {
	if s.Upstream == nil {
		return s.waitRefused(ctx)
	}
	var patience <-chan time.Time
	broken := s.upBroken.c
	for {
		select {
		case <-s.Defect:
			return ErrDefect
		case <-ctx.Done():
			return nil
		case <-s.client:
			return nil
		case <-s.frontLost.c:
			return nil
		case <-s.lost.c:
			return s.endedTogether(ctx)
		case <-broken: // there may be answers on their way
			broken = nil
			t := time.NewTimer(s.Grace)
			defer t.Stop()
			patience = t.C
		case <-patience:
			s.NewEntrant().Lost(s.gone)
			return ErrLost
		}
	}
}

// together is how long the end of the session may come after that of the server and
// still count as the first of the two: what ends a whole process tree reaches both in
// any order.
const together = 250 * time.Millisecond

// endedTogether returns nil if the session is to end at the time at which the server was
// lost, and ErrLost if the server ended alone.
func (s *Session) endedTogether(ctx context.Context) error {
	t := time.NewTimer(together)
	defer t.Stop()
	select {
	case <-s.Defect:
		return ErrDefect
	case <-t.C:
		return ErrLost
	case <-ctx.Done():
	case <-s.client:
	case <-s.frontLost.c:
	}
	s.bothEnded = true
	return nil
}

// waitRefused returns once the client knows that the server could not be started:
// it has got the answer to initialize, or has gone.
func (s *Session) waitRefused(ctx context.Context) error {
	select {
	case <-s.Defect:
		return ErrDefect
	case <-ctx.Done():
	case <-s.client:
	case <-s.frontLost.c:
	case <-s.refused.c:
	}
	s.say(slog.LevelError, "cannot start the server: "+s.Refused.Error())
	return ErrLost
}

func (s *Session) say(level slog.Level, text string, attrs ...slog.Attr) {
	s.Log.LogAttrs(context.Background(), level, text, attrs...)
}
