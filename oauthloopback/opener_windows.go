package oauthloopback

import (
	"context"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/pkg/browser"
)

// quiet keeps the library from writing to the standard output of this process.
// The file stays open: the variables are for the whole process.
var quiet = sync.OnceFunc(func() {
	if null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0); err == nil {
		browser.Stdout, browser.Stderr = null, null
	}
})

// open asks the system to open the URL. The call can hang in another program's
// hands, so it has a thread of its own, which is not waited for without end.
func (o SystemOpener) open(ctx context.Context, url string) error {
	quiet()
	opened := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // not unlocked: what the call leaves on the thread ends with it
		defer func() {
			if recover() != nil {
				opened <- notStarted()
			}
		}()
		opened <- browser.OpenURL(url)
	}()
	select {
	case err := <-opened:
		if err != nil {
			return notStarted()
		}
	case <-time.After(o.ExitWait):
	case <-ctx.Done():
	}
	return nil
}
