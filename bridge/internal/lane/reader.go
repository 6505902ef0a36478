package lane

import (
	"errors"
	"io"
	"os"
	"sync"
)

// errGone is the error of a lane whose writer has nobody behind it that reads.
var errGone = errors.New("lane: nobody reads any more")

// watchReader loses the lane once nobody reads out any more, where the system tells of
// that: of a pipe or a socket.
func (l *Lane) watchReader(out io.Writer, start func(f func()) <-chan struct{}) {
	f, ok := out.(*os.File)
	if _, known := l.out.(*fileSink); !ok || !known {
		return
	}
	w := newWatch(f)
	if w == nil {
		return
	}
	watched := start(func() {
		if w.wait() {
			l.lose(errGone)
		}
	})
	l.unwatch = sync.OnceFunc(func() {
		w.stop()
		<-watched
		w.close()
	})
}
