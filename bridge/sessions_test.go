package bridge

import (
	"bufio"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// Sessions leave nothing behind, one after the other or all at once: no goroutine,
// descriptor, process or memory.
func TestSessionsLeaveNothingBehind(t *testing.T) {
	for _, tt := range []struct {
		name    string
		session func(t *testing.T)
	}{
		{"child", func(t *testing.T) { pass(t, Config{Upstream: command(t, "serve", nil)}) }},
		{"link", func(t *testing.T) {
			near, far := jsonrpc.Pipe()
			served := make(chan struct{})
			go func() {
				defer close(served)
				(&server{out: far}).serve(far)
				far.Close()
			}()
			pass(t, Config{Upstream: Link{near}})
			<-served
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inARow, atOnce := 500, 50
			if runtime.GOOS == "windows" { // in wine a process takes long to start, and one of thousands does not
				inARow = 50
			}
			together := func() {
				var all sync.WaitGroup
				for range atOnce {
					all.Go(func() { tt.session(t) })
				}
				all.Wait()
			}
			together() // what is made once for the process
			before := nowHeld(t)
			for range inARow {
				tt.session(t)
			}
			if got := descriptorsAfter(t, together); got > before.descriptors {
				t.Errorf("%d descriptors are open, want no more than %d", got, before.descriptors)
			}
			wantHeld(t, before)
		})
	}
}

// pass goes through a session over pipes of this process: it opens it, makes a call,
// and ends the input behind another.
func pass(t *testing.T, c Config) {
	in, toBridge, err := os.Pipe()
	if err != nil {
		t.Error(err)
		return
	}
	defer in.Close()
	fromBridge, out, err := os.Pipe()
	if err != nil {
		t.Error(err)
		return
	}
	defer fromBridge.Close()
	c.Front = Stdio{in, out}
	done := make(chan error, 1)
	go func() {
		err := Run(t.Context(), c)
		out.Close() // before the session counts as over
		done <- err
	}()
	lines := bufio.NewReader(fromBridge)
	for _, line := range []string{initialize, callLine(1, "echo", `{"n":1}`), callLine(2, "echo", `{"n":2}`)} {
		if _, err := io.WriteString(toBridge, line+"\n"); err != nil {
			t.Errorf("send: %v", err)
		}
		if answer, err := lines.ReadString('\n'); err != nil {
			t.Errorf("answer %q: %v", answer, err)
		}
	}
	toBridge.Close()
	if err := <-done; err != nil {
		t.Errorf("Run = %v, want nil", err)
	}
}

// descriptorsAfter counts the open descriptors after f, before the garbage collector
// could close one that was forgotten.
func descriptorsAfter(t *testing.T, f func()) int {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	f()
	return descriptors(t)
}

// A holding is what this process holds.
type holding struct {
	goroutines, descriptors, threads int
	memory                           uint64 // bytes, of heap and stacks
}

func nowHeld(t *testing.T) holding {
	t.Helper()
	runtime.GC()
	runtime.GC() // what finalizers gave up
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return holding{
		goroutines: runtime.NumGoroutine(), descriptors: descriptors(t), threads: threads(t),
		memory: m.HeapAlloc + m.StackInuse,
	}
}

// wantHeld wants this process to hold no more than before. What the runtime gives back
// later is waited for.
func wantHeld(t *testing.T, before holding) {
	t.Helper()
	const (
		spareThreads = 10      // that the runtime keeps for later
		spareMemory  = 1 << 20 // of which every session would have 2 KiB
	)
	var now holding
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		now = nowHeld(t)
		if now.goroutines <= before.goroutines && now.descriptors <= before.descriptors &&
			now.threads <= before.threads+spareThreads && now.memory <= before.memory+spareMemory {
			break
		}
		if time.Now().After(end) {
			t.Errorf("held after the sessions: %+v, want no more than before: %+v", now, before)
			return
		}
	}
	if n := children(t); n > 0 {
		t.Errorf("%d children are left", n)
	}
	t.Logf("before: %+v, after: %+v", before, now)
}
