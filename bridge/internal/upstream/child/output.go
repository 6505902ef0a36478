package child

import (
	"os"
	"sync"
	"time"
)

// An output is our end of the child's standard output. Once the child has exited,
// its reads wait for more for one grace in all: somebody who inherited the output
// may hold it open. What is in the pipe is read however late the reader comes.
type output struct {
	file *os.File

	mu    sync.Mutex    // guards the fields below
	left  time.Duration // that reads may still wait for after the exit
	ended bool          // the child has exited
	off   bool          // interrupted
	timer *time.Timer   // where the system has no deadlines: closes file
}

func newOutput(f *os.File, grace time.Duration) *output { return &output{file: f, left: grace} }

// Read reads from the pipe.
func (o *output) Read(p []byte) (int, error) {
	begun, bounded := o.begin()
	n, err := o.file.Read(p)
	if bounded {
		o.end(begun)
	}
	return n, err
}

// begin bounds a read that begins after the exit.
func (o *output) begin() (now time.Time, bounded bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.ended || o.off {
		return time.Time{}, false
	}
	o.bound()
	return time.Now(), true
}

func (o *output) end(begun time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.left -= time.Since(begun)
	if o.timer != nil {
		o.timer.Stop()
	}
}

// exited says that the child has exited. A read that blocks already is bounded, too.
func (o *output) exited() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	if !o.off {
		o.bound()
	}
}

// bound ends the read that blocks, or comes next, when the time that is left is over.
// The caller holds the lock.
func (o *output) bound() {
	if o.file.SetReadDeadline(time.Now().Add(o.left)) == nil {
		return
	}
	if o.timer == nil {
		o.timer = time.AfterFunc(o.left, o.interrupt)
		return
	}
	o.timer.Reset(o.left)
}

// interrupt makes a blocked Read return, and every later one.
func (o *output) interrupt() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.off = true
	interrupt(o.file)
}
