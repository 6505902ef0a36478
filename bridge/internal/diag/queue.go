package diag

import (
	"context"
	"log/slog"
	"sync"
)

// Waiting is the most records that wait for a handler.
const Waiting = 1000

// A Queue hands records to a handler in a goroutine of its own, so that whoever logs
// does not wait for a handler that blocks, and does not end with one that panics.
// Records beyond those that may wait are left out, and counted.
type Queue struct {
	mu      sync.Mutex // guards the fields below
	records []queued
	missed  int
	ended   bool
	wake    chan struct{} // something has changed
}

type queued struct {
	to     slog.Handler
	record slog.Record
}

// NewQueue returns a Queue. Run must be called in a goroutine.
func NewQueue() *Queue { return &Queue{wake: make(chan struct{}, 1)} }

// Handler returns a handler that gives what it is asked to write to h, by way of q.
func (q *Queue) Handler(h slog.Handler) slog.Handler { return &queueHandler{q, h} }

// Run hands records on until End was called and none is left.
func (q *Queue) Run() {
	for range q.wake {
		records, ended := q.take()
		for _, r := range records {
			r.to.Handle(context.Background(), r.record)
		}
		if ended {
			return
		}
	}
}

// End says that Run is to return once nothing waits.
func (q *Queue) End() {
	q.mu.Lock()
	q.ended = true
	q.mu.Unlock()
	q.signal()
}

// take returns the records that wait.
func (q *Queue) take() (records []queued, ended bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	records = q.records
	if q.missed > 0 {
		last := &records[len(records)-1]
		r := slog.NewRecord(last.record.Time, slog.LevelWarn, "lines of the log were left out", 0)
		r.AddAttrs(Count(q.missed))
		records = append(records, queued{last.to, r})
	}
	q.records, q.missed = nil, 0
	return records, q.ended
}

func (q *Queue) add(r queued) {
	q.mu.Lock()
	if len(q.records) < Waiting {
		q.records = append(q.records, r)
	} else {
		q.missed++
	}
	q.mu.Unlock()
	q.signal()
}

func (q *Queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

type queueHandler struct {
	queue *Queue
	to    slog.Handler
}

// Enabled asks the handler. One that panics wants nothing.
func (h *queueHandler) Enabled(ctx context.Context, level slog.Level) (enabled bool) {
	defer func() {
		if recover() != nil {
			enabled = false
		}
	}()
	return h.to.Enabled(ctx, level)
}

func (h *queueHandler) Handle(_ context.Context, r slog.Record) error {
	h.queue.add(queued{h.to, r.Clone()})
	return nil
}

func (h *queueHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &queueHandler{h.queue, h.to.WithAttrs(attrs)}
}

func (h *queueHandler) WithGroup(name string) slog.Handler {
	return &queueHandler{h.queue, h.to.WithGroup(name)}
}
