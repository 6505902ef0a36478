// Package bridge connects an MCP client of one protocol revision to an MCP server
// of another.
//
// A program gives [Run] a [Config] that names the two ends: a [Front], which faces
// the client, and an [Upstream], which faces the server. Everything else has a
// safe default.
package bridge

import (
	"context"
	"errors"
	"log/slog"

	"github.com/trestle-mcp/trestle/bridge/internal/session"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// ErrUpstreamLost is the error of [Run] for a server that could not be started,
// has exited, or has closed its output while the client was still there. The log
// has the details.
var ErrUpstreamLost = session.ErrLost

// A Config says what to bridge. Front and Upstream are required.
type Config struct {
	Front    Front
	Upstream Upstream

	// Limits bound time and memory. The zero Limits are the defaults.
	Limits Limits

	// Profile says what the client needs beyond the specification. The zero
	// Profile is strict.
	Profile mcpwire.Profile

	// Eras says which servers are taken: by default those of any revision that
	// mcpwire knows.
	Eras mcpwire.Eras

	// SampleAnytime lets a server of an older revision ask for the client's model while
	// the client has no request in flight that this could be for.
	SampleAnytime bool

	// MaxTokens is the most tokens that the server may ask the client's model for at a
	// time: it gets no more, whatever it asks for. If zero, it gets what it asks for.
	MaxTokens int

	// Log is told what a person should know. It never gets a payload. If nil,
	// nothing is logged. [NewLog] gives one that writes the line form of the
	// bridge.
	//
	// Its handler is called by one goroutine of Run at a time, apart from Enabled.
	// Nothing waits for it: of what comes faster than it writes, some is left out.
	// If it has not returned when Run does, its goroutine is left behind.
	Log *slog.Logger
}

// check reports what a caller has to mend in c.
func (c *Config) check() error {
	switch {
	case c.Front == nil:
		return errors.New("bridge: Config.Front is not set")
	case c.Upstream == nil:
		return errors.New("bridge: Config.Upstream is not set")
	case c.MaxTokens < 0:
		return errors.New("bridge: Config.MaxTokens is negative")
	}
	if err := c.Front.check(); err != nil {
		return err
	}
	if err := c.Upstream.check(); err != nil {
		return err
	}
	return c.Limits.check()
}

// Run bridges until the client ends its input, ctx is done or the server is lost.
//
// It returns nil after the end of the input and after the end of ctx, which means
// the same: answers that are on their way are still written for a while, then the
// server is stopped, within twice [Limits.Grace] and two seconds. It returns
// [ErrUpstreamLost] if the server is lost first, by 250 ms at least, since what ends a
// whole process tree reaches both in any order, and for a server that could not be
// started however the session ends; and another error for a Config that cannot work
// or a defect of the bridge.
//
// Every goroutine and child process has ended when Run returns, but for goroutines
// that are blocked in a call which nothing can make return. Such a one stays until
// the call does: a Read of Stdio.In or a Write of Stdio.Out, see [Stdio]; a Write of
// Command.Stderr; the handler of Config.Log.
func Run(ctx context.Context, c Config) error {
	if err := c.check(); err != nil {
		return err
	}
	return run(ctx, &c)
}
