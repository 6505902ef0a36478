//go:build !linux && !darwin && !freebsd

package lane

import (
	"os"
	"sync/atomic"
)

// newFileSink returns nil: on this system the goroutine of the lane does every
// write.
func newFileSink(*os.File, bool, *atomic.Bool) sink { return nil }
