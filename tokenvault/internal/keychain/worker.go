package keychain

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// A Worker makes the calls of one keychain. Its methods may be called at the same
// time; who comes second waits.
//
// A call that does not return in time is left behind: its caller gets
// fault.ErrTimeout, and so does everybody later. When it returns after all, its
// value is wiped and the goroutine ends. So a Worker leaves at most one goroutine.
type Worker struct {
	o     Options
	jobs  chan *job
	ended chan struct{} // closed when the goroutine has ended

	running context.Context // ends with Close
	cancel  context.CancelFunc

	over    chan struct{} // closed when there will be no other call
	mu      sync.Mutex
	verdict error // why over is closed
}

// A job is what one caller wants. It can be more than one call of the keychain.
type job struct {
	run  func() ([]byte, error)
	done chan outcome
	left chan struct{} // closed when nobody waits for the outcome
}

type outcome struct {
	value []byte
	err   error
}

// New returns a Worker, whose goroutine ends with Close or after the call that
// ended it all.
func New(o Options) *Worker {
	if o.Backend == nil {
		o.Backend = System(o.Prompt)
	}
	w := &Worker{o: o, jobs: make(chan *job), ended: make(chan struct{}), over: make(chan struct{})}
	w.running, w.cancel = context.WithCancel(context.Background())
	go w.work()
	return w
}

// Close ends the Worker: later calls are fault.ErrClosed. It waits for a call that
// runs as long as one without a dialog may take, but not for one that was already
// given up.
func (w *Worker) Close() {
	err := w.end(fault.New(fault.ErrClosed, "", nil))
	w.cancel()
	if errors.Is(err, fault.ErrTimeout) {
		return
	}
	patience := time.NewTimer(w.o.Timeout)
	defer patience.Stop()
	select {
	case <-w.ended:
	case <-patience.C:
	}
}

// end makes err the answer to everything from now on, unless there is one already.
// It returns the answer.
func (w *Worker) end(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.verdict == nil {
		w.verdict = err
		close(w.over)
	}
	return w.verdict
}

// answer returns what end was given, or nil.
func (w *Worker) answer() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.verdict
}

func (w *Worker) work() {
	defer close(w.ended)
	defer w.end(fault.New(fault.ErrUnavailable, fault.KeychainBroke, nil)) // without a verdict a backend has ended it
	for {
		select {
		case j := <-w.jobs:
			j.deliver(w.protected(j.run))
		case <-w.over:
			return
		}
	}
}

// protected turns a panic of a backend into an error. Its value is not looked at:
// it may be anything.
func (w *Worker) protected(run func() ([]byte, error)) (o outcome) {
	defer func() {
		if recover() != nil {
			o = outcome{nil, w.end(fault.New(fault.ErrUnavailable, fault.KeychainBroke, nil))}
		}
	}()
	value, err := run()
	return outcome{value, err}
}

// deliver hands the outcome over, or wipes it if nobody waits for it any more.
func (j *job) deliver(o outcome) {
	select {
	case j.done <- o:
	case <-j.left:
		clear(o.value)
	}
}

// do has the goroutine run a job, and waits for it. ran is false where it did not
// begin and never will.
func (w *Worker) do(ctx context.Context, run func() ([]byte, error)) (value []byte, ran bool, err error) {
	if err := w.answer(); err != nil {
		return nil, false, err
	}
	j := &job{run, make(chan outcome), make(chan struct{})}
	defer close(j.left)
	select {
	case w.jobs <- j:
	case <-w.over:
		return nil, false, w.answer()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	select {
	case o := <-j.done:
		return o.value, true, o.err
	case <-w.over:
		return nil, true, w.answer()
	case <-ctx.Done():
		return nil, true, ctx.Err()
	}
}

// within makes one call of the backend, on the Worker's goroutine, and gives up on
// it when the limit is over. The context of the call is not the caller's: a caller
// that leaves must not break off a write.
func (w *Worker) within(limit time.Duration, call func(context.Context) error) error {
	if err := w.answer(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(w.running, limit)
	defer cancel()
	late := time.AfterFunc(limit, func() { w.end(fault.New(fault.ErrTimeout, "", nil)) })
	defer late.Stop()
	return w.judge(call(ctx))
}

// judge translates an error of a backend, and ends the Worker with all but "not
// found". Only the errors of this package's own backend have a detail.
func (w *Worker) judge(err error) error {
	var own *fault.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fault.ErrNotFound):
		return fault.New(fault.ErrNotFound, "", nil)
	case errors.As(err, &own):
		return w.end(own)
	case errors.Is(err, fault.ErrLocked):
		return w.end(fault.New(fault.ErrLocked, "", nil))
	case errors.Is(err, fault.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return w.end(fault.New(fault.ErrTimeout, "", nil))
	}
	return w.end(fault.New(fault.ErrUnavailable, fault.KeychainBroke, nil))
}
