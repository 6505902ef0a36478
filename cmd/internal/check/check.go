// Package check tries a server: it is a client of the bridge, and tells what a session
// with that server is like.
package check

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/trestle-mcp/trestle/bridge"
)

// Options say what is tried. Everything is required.
type Options struct {
	Config bridge.Config // without a front
	Origin string        // of the server, as the report names it
	SignIn func() string // says, once there is a session, what let it in
}

// ErrFailed is the error of [Run] for a server that no session can be had with. The
// report names the cause.
var ErrFailed = errors.New("check: no session with the server")

// Run tries the server and writes the report to w, line by line as it is known.
func Run(ctx context.Context, w io.Writer, o *Options) error {
	in, toBridge := io.Pipe()
	fromBridge, out := io.Pipe()
	notes := newNotes()
	c := o.Config
	c.Front = bridge.Stdio{In: in, Out: out}
	c.Log = slog.New(slog.NewMultiHandler(c.Log.Handler(), notes))
	ended := make(chan error, 1)
	go func() {
		err := bridge.Run(ctx, c)
		out.Close()
		in.Close() // whoever writes to it may be waiting
		ended <- err
	}()
	s := newSession(toBridge, fromBridge)
	r := &report{w: w}
	ok := s.look(r, o, notes.revision)
	toBridge.Close()
	s.drain()
	err := <-ended
	r.notes(notes)
	r.line("times", "%s", s.times())
	if !ok {
		r.line("result", "%s", s.cause())
		return ErrFailed
	}
	if err != nil {
		r.line("result", "the session ended with an error")
		return ErrFailed
	}
	r.line("result", "ok")
	return r.err
}
