// Package demo runs a session through the bridge inside one process and shows
// what stands on the wire on both sides of it.
//
// The bridge is the one that the binary runs. A script plays the editor, a small
// server of ours answers, and every frame is compared with the one that the script
// expects, so a session that is shown is a session that went right.
package demo

import (
	"context"
	"fmt"
	"io"
	"time"
)

// Options say how a session is shown. The zero Options are plain text without
// colour for a terminal of unknown width.
type Options struct {
	JSON   bool // one line of JSON for each step
	Color  bool
	Width  int // columns; if zero, [DefaultWidth]
	script []step
}

// DefaultWidth is the number of columns where none is known.
const DefaultWidth = 100

// Widths that the two columns are laid out for.
const (
	minWidth = 80
	maxWidth = 120
)

// waitTime bounds the wait for a frame and for the end. It only ends a demo that has
// gone wrong.
const waitTime = 30 * time.Second

// Run plays the session and writes each step to out. The error says which frame
// was not the expected one.
func Run(ctx context.Context, out io.Writer, o *Options) error {
	steps := o.script
	if steps == nil {
		steps = script
	}
	show := o.show(out)
	show.begin()
	st := newStage(ctx)
	defer st.close()
	for i := range steps {
		seen, err := st.play(&steps[i])
		show.step(i+1, &steps[i], seen)
		if err != nil {
			return fmt.Errorf("demo: step %d: %w", i+1, err)
		}
	}
	if err := st.end(); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	return show.end(len(steps), countExchanges(steps), countRules(steps))
}

// A show presents steps as they happen.
type show interface {
	begin()
	step(n int, s *step, seen []frames)
	end(steps, exchanges, rules int) error
}

func (o *Options) show(out io.Writer) show {
	if o.JSON {
		return newRecords(out)
	}
	width := o.Width
	if width == 0 {
		width = DefaultWidth
	}
	return newTable(out, min(max(width, minWidth), maxWidth), o.Color)
}
