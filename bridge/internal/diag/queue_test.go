package diag

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

// handOn logs to a queue, which then hands everything on to h.
func handOn(t *testing.T, h slog.Handler, log func(l *slog.Logger, q *Queue)) {
	t.Helper()
	q := NewQueue()
	log(slog.New(q.Handler(h)), q)
	q.End()
	q.Run()
}

func TestQueueKeepsTheOrder(t *testing.T) {
	var out, want bytes.Buffer
	handOn(t, NewHandler(&out, slog.LevelInfo), func(l *slog.Logger, _ *Queue) {
		l.Debug("no")
		with := l.With("rule", "T1")
		for i := range 100 {
			with.Info("text", "count", i)
			fmt.Fprintf(&want, "mcp-bridge-vscode: INFO text rule=T1 count=%d\n", i)
		}
	})
	if out.String() != want.String() {
		t.Errorf("wrote %q, want %q", out.String(), want.String())
	}
}

// What comes faster than it can be written has a limit, and is counted.
func TestQueueHasALimit(t *testing.T) {
	for n, want := range map[int]string{
		Waiting - 1: "text",
		Waiting:     "text",
		Waiting + 1: "lines of the log were left out count=1",
		Waiting + 9: "lines of the log were left out count=9",
	} {
		var out bytes.Buffer
		handOn(t, NewHandler(&out, slog.LevelInfo), func(l *slog.Logger, _ *Queue) {
			for range n {
				l.Info("text")
			}
		})
		if got := out.String(); !strings.HasSuffix(got, want+"\n") || strings.Count(got, "INFO text\n") != min(n, Waiting) {
			t.Errorf("after %d lines the log ends with %q and has %d lines", n, got[len(got)-60:], strings.Count(got, "\n"))
		}
	}
}

// rude panics when it is asked.
type rude struct{ slog.Handler }

func (rude) Enabled(context.Context, slog.Level) bool { panic("no") }

func TestEnabledThatPanicsWantsNothing(t *testing.T) {
	handOn(t, rude{slog.DiscardHandler}, func(l *slog.Logger, q *Queue) {
		l.Error("text")
		if len(q.records) > 0 {
			t.Error("a record waits")
		}
	})
}
