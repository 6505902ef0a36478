package oauthloopback

import (
	"context"
	"errors"
	"io"
	"net"
	"runtime"
	"sync"
	"testing"
	"time"
	"weak"
)

// port returns a port that is free for now.
func port(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// soon is well inside a second on a machine that has nothing else to do. The limits
// themselves are tested in virtual time.
const soon = 5 * time.Second

// A wait ends at once, whatever ends it, and the same port serves the next one.
//
// req: S10
func TestWaitEndsTwentyTimesOnOnePort(t *testing.T) {
	for name, end := range map[string]func(r *Receiver, cancelListen, cancelWait context.CancelFunc){
		"abort":                     func(r *Receiver, _, _ context.CancelFunc) { r.Abort() },
		"close":                     func(r *Receiver, _, _ context.CancelFunc) { r.Close() },
		"end of the context":        func(_ *Receiver, cancel, _ context.CancelFunc) { cancel() },
		"end of the context of one": func(_ *Receiver, _, cancel context.CancelFunc) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			c := config()
			c.Port = port(t)
			for range 20 {
				endOnce(t, c, end)
			}
		})
	}
}

func endOnce(t *testing.T, c Config, end func(r *Receiver, cancelListen, cancelWait context.CancelFunc)) {
	t.Helper()
	listening, cancelListen := context.WithCancel(t.Context())
	waiting, cancelWait := context.WithCancel(t.Context())
	defer cancelListen()
	defer cancelWait()
	r, err := Listen(listening, c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	silent := dial(t, r)
	defer silent.Close()
	get(t, r, "/")
	results := make(chan error, 3)
	for range cap(results) {
		go func() {
			_, err := r.Wait(waiting)
			results <- err
		}()
	}
	begin := time.Now()
	end(r, cancelListen, cancelWait)
	for range cap(results) {
		wantReason(t, <-results, ReasonAborted)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > soon {
		t.Errorf("it took %v", took)
	}
	if _, err := silent.Read(make([]byte, 1)); err == nil {
		t.Error("the silent connection is still open")
	}
}

// req: S10
func TestDeadlineTwentyTimesOnOnePort(t *testing.T) {
	c := config()
	c.Port, c.Timeout = port(t), time.Second
	for range 20 {
		s, err := c.checked()
		if err != nil {
			t.Fatal(err)
		}
		s.timeout = 10 * time.Millisecond // shorter than a Config allows
		l, err := bind(t.Context(), c.Port)
		if err != nil {
			t.Fatal(err)
		}
		r := newReceiver(t.Context(), s, l)
		_, err = wait(t, r)
		wantReason(t, err, ReasonTimeout)
		r.Close()
	}
}

// The cause of an end can be asked for.
//
// req: S10
func TestCauseOfTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Listen(ctx, config())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cancel()
	_, err = wait(t, r)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Wait() = %v, want one that is context.Canceled", err)
	}
	_, again := r.Wait(t.Context())
	if again != err {
		t.Errorf("Wait() again = %v, want %v", again, err)
	}
	_, err = Listen(ctx, config())
	wantReason(t, err, ReasonAborted)
}

// A redirect that is there comes before a context that is at its end.
//
// req: S10
func TestRedirectBeforeTheEnd(t *testing.T) {
	r := listen(t, config())
	get(t, r, "/callback"+codeQuery)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r.Abort()
	if redirect, err := r.Wait(ctx); err != nil || redirect.Code() != testCode {
		t.Errorf("Wait() = %q, %v; want the code", redirect.Code(), err)
	}
	wantCode(t, r)
}

// Connections that were closed keep the port for nobody, and nothing is left behind.
//
// req: S10
func TestTwoHundredSignInsOnOnePort(t *testing.T) {
	c := config()
	c.Port = port(t)
	signIn := func() {
		r, err := Listen(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		start, _ := started(t, r)
		if got := get(t, r, start); got.status != 303 {
			t.Fatalf("start: status %d, want 303", got.status)
		}
		wantAnswer(t, get(t, r, "/callback"+codeQuery), 200, titleDone)
		wantCode(t, r)
	}
	signIn()
	goroutines, descriptors := runtime.NumGoroutine(), openDescriptors(t)
	for range 200 {
		signIn()
	}
	if got := runtime.NumGoroutine(); got > goroutines+2 {
		t.Errorf("%d goroutines, before there were %d", got, goroutines)
	}
	if got := openDescriptors(t); got > descriptors {
		t.Errorf("%d descriptors, before there were %d", got, descriptors)
	}
}

// A receiver that was closed is not kept by its timer, nor by a context that goes on.
//
// req: S10
func TestClosedReceiverIsFreed(t *testing.T) {
	closed := func() weak.Pointer[Receiver] {
		r, err := Listen(t.Context(), config())
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		return weak.Make(r)
	}()
	for begin := time.Now(); closed.Value() != nil; runtime.GC() {
		if time.Since(begin) > patience {
			t.Fatal("it is still held")
		}
	}
}

// req: S09
func TestSilentConnections(t *testing.T) {
	r := listen(t, config())
	for range defaultConns {
		dial(t, r)
	}
	wantAnswer(t, get(t, r, "/callback"+codeQuery), 200, titleDone)
	begin := time.Now()
	r.Close()
	if took := time.Since(begin); took > soon {
		t.Errorf("Close took %v", took)
	}
}

// req: S09
func TestTwoThousandHalfHeads(t *testing.T) {
	r := listen(t, config())
	half := request(r, "GET", "/callback"+codeQuery)[:40]
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 250 {
				c, err := net.DialTimeout("tcp4", r.host, patience)
				if err != nil {
					t.Error(err)
					return
				}
				t.Cleanup(func() { c.Close() })
				io.WriteString(c, half)
			}
		})
	}
	all.Wait()
	wantAnswer(t, get(t, r, "/callback"+codeQuery), 200, titleDone)
	wantCode(t, r)
}

// Connections that are reset at once disturb nothing.
//
// req: S09
func TestResets(t *testing.T) {
	r := listen(t, config())
	for range 100 {
		c := dial(t, r)
		c.(*net.TCPConn).SetLinger(0)
		c.Close()
	}
	wantAnswer(t, get(t, r, "/callback"+codeQuery), 200, titleDone)
}
