// Package halt makes a call return that blocks in a stream.
package halt

import (
	"io"
	"os"
	"time"
)

// past is a deadline that is over.
var past = time.Unix(1, 0)

// Reads makes a blocked Read of r return, and every later one: by a deadline or, if
// r is no file, by Close. It reports false if nothing can do that: then whoever
// reads must not be waited for. undo takes the deadline away again; nobody may be in
// Read then.
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
	_, file := stream.(*os.File) // Close does not end a blocked call on a file
	c, closes := stream.(io.Closer)
	return func() {}, closes && !file && c.Close() == nil
}
