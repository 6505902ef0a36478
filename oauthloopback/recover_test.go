package oauthloopback

import (
	"net/http"
	"sync/atomic"
	"testing"
)

// A caller that starts the goroutines can recover from a panic in each: the connection ends,
// and the receiver goes on and ends as ever.
func TestGoRecovers(t *testing.T) {
	var started, recovered atomic.Int64
	c := config()
	c.OnEvent = func(Event) { panic("event") }
	c.Go = func(f func()) <-chan struct{} {
		started.Add(1)
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() {
				if recover() != nil {
					recovered.Add(1)
				}
			}()
			f()
		}()
		return done
	}
	r := listen(t, c)
	start, err := r.Start(goodURL(t, r))
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	if res, err := client.Get(start.Raw()); err == nil { // its event panics
		res.Body.Close()
	}
	res, err := client.Get(r.RedirectURI() + "?state=" + testState + "&code=c")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if got, err := r.Wait(t.Context()); err != nil || got.Code() != "c" {
		t.Errorf("Wait = %v, %v", got, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if started.Load() < 3 || recovered.Load() != 1 {
		t.Errorf("%d goroutines were started, and %d have panicked", started.Load(), recovered.Load())
	}
}
