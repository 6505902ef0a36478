package bridge

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/diag"
	"github.com/trestle-mcp/trestle/bridge/internal/halt"
	"github.com/trestle-mcp/trestle/bridge/internal/session"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// lastLines is how long a log may take, at the end of Run, to write what waits.
const lastLines = 250 * time.Millisecond

// run runs a session for c, which was checked, in a goroutine that recovers.
func run(ctx context.Context, c *Config) error {
	log := c.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	queue := diag.NewQueue()
	w := &workers{log: slog.New(queue.Handler(log.Handler())), defect: make(chan struct{})}
	written := w.start(queue.Run)

	err := session.ErrDefect
	<-w.start(func() { err = session.New(parts(c, w)).Run(ctx) })

	queue.End()
	halt.Within(written, lastLines)
	return err
}

// parts builds the parts of a session for c.
func parts(c *Config, w *workers) *session.Config {
	limits := c.Limits.withDefaults()
	sc := &session.Config{
		Wire:    mcpwire.Options{Profile: c.Profile, Eras: c.Eras, SampleAnytime: c.SampleAnytime, Limits: limits.Limits, Rand: rand.Reader, MaxTokens: c.MaxTokens},
		Grace:   limits.Grace,
		Untaken: 2*limits.Line + limits.Backlog,
		Log:     w.log,
		Go:      w.start,
		Defect:  w.defect,
	}
	c.Front.open(sc, limits)
	c.Upstream.connect(sc, limits)
	return sc
}

// workers starts the goroutines of one Run. A panic in one of them becomes a line of
// the log and ends the session; whoever starts one waits for it.
type workers struct {
	log    *slog.Logger
	once   sync.Once
	defect chan struct{} // closed after the first panic
}

// start runs f in a goroutine. The channel is closed when it has ended.
func (w *workers) start(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer w.recover()
		f()
	}()
	return done
}

func (w *workers) recover() {
	if recover() == nil {
		return
	}
	diag.Recovered(w.log)
	w.once.Do(func() { close(w.defect) })
}
