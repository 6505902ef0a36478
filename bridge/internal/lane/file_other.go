//go:build !linux && !darwin && !freebsd

package lane

import (
	"os"
	"sync/atomic"
)

// A fileSink does not exist on this system.
type fileSink struct{ writerSink }

// newFileSink returns nil: on this system the goroutine of the lane does every
// write.
func newFileSink(*os.File, bool, *atomic.Bool) sink { return nil }

// A watch does not exist on this system: only a write tells that nobody reads.
type watch struct{}

func newWatch(*os.File) *watch { return nil }

func (*watch) wait() bool { return false }
func (*watch) stop()      {}
func (*watch) close()     {}
