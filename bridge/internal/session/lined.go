package session

import (
	"io"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/lane"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// A Stream is a server that speaks line by line: one stream goes to it, and one comes
// from it.
type Stream interface {
	source
	Input() io.Writer
	// CloseInput says that nothing more is written to Input.
	CloseInput()
	// Stop returns when the server has ended, or was made to: after twice grace.
	Stop(grace time.Duration)
	// Interrupt makes a blocked Read return, and every later one soon.
	Interrupt()
	// Close gives back what Stop leaves. Nobody may be in Read.
	Close()
}

// LinedOptions configure a [Lined]. Everything is required but OwnInput.
type LinedOptions struct {
	OwnInput         bool          // Input of the stream is a file that no other process writes to
	Gone             mcpwire.Cause // the cause of the end of its output
	Backlog          int           // bytes that may wait, behind the line that is being written
	JunkBefore, Junk int           // lines in a row that are no message
}

// A Lined is a server behind a [Stream]: one lane leads to it, one reader comes from it.
type Lined struct {
	LinedOptions
	stream Stream

	s          *Session
	lane       *lane.Lane
	reader     <-chan struct{} // closed when the reader has ended
	end        sync.Once
	inputEnded <-chan struct{} // closed when the input of the stream is closed
}

// NewLined returns the upstream for a stream.
func NewLined(stream Stream, o LinedOptions) *Lined { return &Lined{LinedOptions: o, stream: stream} }

// Start starts the lane and the reader.
func (l *Lined) Start(s *Session) {
	l.s = s
	l.lane = lane.New(l.stream.Input(), lane.Options{Go: s.Go, Lost: func(error) { s.broken(l.Gone) }, Own: l.OwnInput})
	l.reader = s.Go(l.read)
}

// broken says that the upstream takes no input any more; c is the cause of the end that
// follows once the answers that may be on their way have had their time.
func (s *Session) broken(c mcpwire.Cause) {
	s.upBroken.once.Do(func() {
		s.gone = c
		close(s.upBroken.c)
	})
}

// Append appends to the lane.
func (l *Lined) Append(f *mcpwire.Frame) { l.lane.Append(f) }

// TakeBack takes back a line that was not begun.
func (l *Lined) TakeBack(ex mcpwire.Exchange) bool { return l.lane.TakeBack(ex) }

// Waiting returns the bytes in the lane.
func (l *Lined) Waiting() int { return l.lane.Waiting() }

// Flush writes what fits, and looks at what is left.
func (l *Lined) Flush() {
	l.lane.Flush()
	l.checkBacklog()
}

// checkBacklog gives the server up if it does not read what is sent to it (U14). A
// server that waits for a slow client, or did so just now, is not to blame: then the
// client is, if it goes on sending.
func (l *Lined) checkBacklog() {
	s := l.s
	behind := l.lane.Behind()
	switch {
	case behind <= l.Backlog || s.closing.Load():
	case !s.clientIsSlow():
		s.NewEntrant().GiveUp(mcpwire.CauseUpstreamStalled, "the server does not read its input and is given up")
	case behind > s.Untaken:
		s.leaveClient()
	}
}

// clientIsSlow reports whether the server waits for the client, or has done so within
// the last grace.
func (s *Session) clientIsSlow() bool { return s.front.FullWithin(s.Grace) }

// End closes the input once what waits is written.
func (l *Lined) End() {
	l.end.Do(func() {
		written := l.lane.End()
		l.inputEnded = l.s.Go(func() {
			<-written
			l.stream.CloseInput()
		})
	})
}

// Drop gives up what waits, and the lane.
func (l *Lined) Drop() { l.lane.Close() }

// Stop stops the server.
func (l *Lined) Stop(grace time.Duration) { l.stream.Stop(grace) }

// Done is closed when the reader has ended.
func (l *Lined) Done() <-chan struct{} { return l.reader }

// Interrupt makes the reader end.
func (l *Lined) Interrupt() { l.stream.Interrupt() }

// Close closes the lane and the stream.
func (l *Lined) Close() {
	l.lane.Close()
	l.End()
	<-l.inputEnded
	l.stream.Close()
}
