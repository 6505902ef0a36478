package lane

import (
	"errors"
	"io"
	"os"
)

// errGone is the error of a lane whose writer has nobody behind it that reads.
var errGone = errors.New("lane: nobody reads any more")

// watchReader loses the lane once nobody reads w any more, where the system tells of
// that: of a pipe or a socket.
func (l *Lane) watchReader(w io.Writer, start func(f func()) <-chan struct{}) {
	f, ok := w.(*os.File)
	if _, known := l.out.(*fileSink); !ok || !known {
		return
	}
	if l.watch = newWatch(f); l.watch == nil {
		return
	}
	l.watched = start(func() {
		if l.watch.wait() {
			l.lose(errGone)
		}
	})
}

// unwatch ends what watchReader began.
func (l *Lane) unwatch() {
	if l.watch != nil {
		l.watch.stop()
		<-l.watched
		l.watch.close()
	}
}
