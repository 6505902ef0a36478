package check

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
)

// Notes are the lines of a session's log that say that a rule changed something.
type notes struct {
	revision chan string // of the server, and how it was found: one, once it is known

	mu   sync.Mutex // guards seen
	seen []note
}

type note struct{ word, text string }

func newNotes() *notes { return &notes{revision: make(chan string, 1)} }

// Enabled reports whether a line can be one of these.
func (n *notes) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

// Handle keeps a line that names a rule.
func (n *notes) Handle(_ context.Context, r slog.Record) error {
	var rule, method, revision string
	count := int64(1)
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "rule":
			rule = a.Value.String()
		case "method":
			method = a.Value.String()
		case "count":
			count = a.Value.Int64()
		case "revision":
			revision = a.Value.String()
		}
		return true
	})
	if revision != "" {
		select {
		case n.revision <- fmt.Sprintf("%s (%s)", revision, method):
		default:
		}
	}
	if rule == "" {
		return nil
	}
	word := "dropped"
	if strings.Contains(r.Message, "mended") {
		word = "repaired"
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seen = append(n.seen, note{word, fmt.Sprintf("%s %s %d: %s", rule, method, count, r.Message)})
	return nil
}

// WithAttrs returns n: the lines that it keeps have their attributes themselves.
func (n *notes) WithAttrs([]slog.Attr) slog.Handler { return n }

// WithGroup returns n.
func (n *notes) WithGroup(string) slog.Handler { return n }

func (n *notes) list() []note {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.seen
}
