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

	mu      sync.Mutex    // guards the fields below
	left    time.Duration // that reads may still wait for after the exit
	reading bool          // somebody is in Read
	bounded time.Time     // since when that Read is bounded; zero: it is not
	ended   bool          // the child has exited
	off     bool          // interrupted
	timer   *time.Timer   // where the system has no deadlines: closes file
}

func newOutput(f *os.File, grace time.Duration) *output { return &output{file: f, left: grace} }

// Read reads from the pipe. One goroutine at a time calls it.
func (o *output) Read(p []byte) (int, error) {
	o.begin()
	defer o.end()
	return o.file.Read(p)
}

func (o *output) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reading = true
	o.bound()
}

func (o *output) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reading = false
	if o.bounded.IsZero() {
		return
	}
	o.left -= time.Since(o.bounded)
	o.bounded = time.Time{}
	if o.timer != nil {
		o.timer.Stop()
	}
}

// exited says that the child has exited. A read that blocks already is bounded, too.
func (o *output) exited() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	o.bound()
}

// bound lets a read of a child that has exited end when the time that is left is
// over. While nobody reads no time runs. The caller holds the lock.
func (o *output) bound() {
	if !o.ended || !o.reading || o.off {
		return
	}
	o.bounded = time.Now()
	if o.file.SetReadDeadline(o.bounded.Add(o.left)) == nil {
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
