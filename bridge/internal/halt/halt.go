// Package halt bounds waiting: it makes a call return that blocks in a stream, and
// waits for a goroutine no longer than a time.
package halt

import (
	"io"
	"os"
	"sync"
	"time"
)

// past is a deadline that is over.
var past = time.Unix(1, 0)

// Reads makes a blocked Read of r return, and every later one: by a deadline or, where
// there are none, by ending what blocks in it, for a pipe on Windows, or by Close, for
// what is no file. It reports false if nothing can do that: then whoever reads must
// not be waited for. undo gives r back as it was, and may be called again; nobody may
// be in Read then.
func Reads(r io.Reader) (undo func(), ok bool) {
	var deadline func(time.Time) error
	if d, can := r.(interface{ SetReadDeadline(time.Time) error }); can {
		deadline = d.SetReadDeadline
	}
	return halt(r, deadline)
}

// Writes does for Write what [Reads] does for Read.
func Writes(w io.Writer) (undo func(), ok bool) {
	var deadline func(time.Time) error
	if d, can := w.(interface{ SetWriteDeadline(time.Time) error }); can {
		deadline = d.SetWriteDeadline
	}
	return halt(w, deadline)
}

func halt(stream any, deadline func(time.Time) error) (undo func(), ok bool) {
	if deadline != nil && deadline(past) == nil {
		return func() { deadline(time.Time{}) }, true
	}
	if f, file := stream.(*os.File); file { // its Close does not end a blocked call
		return cancel(f)
	}
	c, closes := stream.(io.Closer)
	return func() {}, closes && c.Close() == nil
}

// Within reports whether done is closed within d.
func Within(done <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}

// After calls f in a goroutine after d, unless stop is called before. stop returns when f
// is over, or sure not to begin. It may be called again.
func After(d time.Duration, f func()) (stop func()) {
	done := make(chan struct{})
	t := time.AfterFunc(d, func() {
		defer close(done)
		f()
	})
	return sync.OnceFunc(func() {
		if !t.Stop() {
			<-done
		}
	})
}
