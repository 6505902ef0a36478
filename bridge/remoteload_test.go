package bridge

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// As many requests as may be in flight go out side by side, each with its own answer, and
// the stream of notifications beside them.
//
// req: U02, W01
func TestT205RequestsSideBySide(t *testing.T) {
	const most = 256
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			var all sync.WaitGroup
			all.Add(most)
			s := newSite(t, http2, map[string]func(http.ResponseWriter, *query){
				"together": func(w http.ResponseWriter, q *query) {
					all.Done()
					all.Wait() // for all the others
					sendJSON(w, 200, result(q.id, text("for "+q.id)))
				},
			})
			k := bridged(t, Config{Upstream: s.remote()}).open()
			go func() {
				for id := range most {
					io.WriteString(k.in, callLine(id, "together", `{}`)+"\n")
				}
			}()
			got := make(map[string]bool)
			for range most {
				line := k.receive()
				id, _, _ := strings.Cut(line, `,"result"`)
				if !strings.Contains(line, `"result"`) || got[id] {
					t.Fatalf("got %.200q", line)
				}
				got[id] = true
			}
			k.wantNext()
			k.leaveSite()
		})
	}
}

// An argument that is as big as a line may be reaches the server as it is, and is held no
// longer than it takes.
//
// req: W11
func TestBigArgumentsOfARemote(t *testing.T) {
	const size = 8 << 20
	s := newSite(t, true, map[string]func(http.ResponseWriter, *query){
		"size": func(w http.ResponseWriter, q *query) {
			sendJSON(w, 200, result(q.id, text(fmt.Sprint(strings.Count(q.body, "Z"), " of ", q.ContentLength == int64(len(q.body))))))
		},
		"moved": func(w http.ResponseWriter, q *query) {
			if q.URL.Path == "/mcp" {
				http.Redirect(w, q.Request, "/moved", http.StatusTemporaryRedirect)
				return
			}
			sendJSON(w, 200, result(q.id, text(fmt.Sprint(strings.Count(q.body, "Z"), " moved"))))
		},
		"early": func(w http.ResponseWriter, q *query) { w.WriteHeader(413) },
	})
	k := bridged(t, Config{Upstream: s.remote(), Limits: Limits{Line: size + 1000, Limits: mcpwire.Limits{Held: 3 * size}}}).open()
	big := `{"a":"` + strings.Repeat("Z", size) + `"}`
	for range 5 { // more than may be held at once
		for tool, want := range map[string]string{"size": fmt.Sprint(size, " of true"), "moved": fmt.Sprint(size, " moved"), "early": `"status":413`} {
			k.call(tool, big)
			if got := k.receive(); !strings.Contains(got, want) {
				t.Fatalf("%s: got %.200q, want it to hold %q", tool, got, want)
			}
		}
	}
	k.leaveSite()
}

// What a server sends faster than the client takes it waits with the server.
func TestSlowClientOfARemote(t *testing.T) {
	s := newSite(t, false, map[string]func(http.ResponseWriter, *query){
		"flood": func(w http.ResponseWriter, q *query) {
			send := stream(w)
			note := event(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + q.id + `,"progress":PROGRESS,"message":"` + strings.Repeat("x", 100_000) + `"}}`)
			for i := range 200 {
				send(strings.Replace(note, "PROGRESS", fmt.Sprint(i+1), 1))
			}
			send(event(result(q.id, text("done"))))
		},
	})
	k := bridged(t, Config{Upstream: s.remote(), Limits: Limits{Limits: mcpwire.Limits{ProgressRate: 1000, ProgressBurst: 1000}}}).open()
	k.send(`{"jsonrpc":"2.0","id":"f","method":"tools/call","params":{"name":"flood","_meta":{"progressToken":1}}}`)
	time.Sleep(50 * time.Millisecond) // the lane fills
	n := 0
	for !strings.Contains(k.receive(), `"id":"f"`) {
		n++
	}
	if n != 200 {
		t.Errorf("%d messages before the answer, want 200", n)
	}
	k.leaveSite()
}

// A client that reads nothing at the end of a session with busy exchanges holds nothing up.
//
// req: P02
func TestClientOfARemoteThatReadsNothingAtTheEnd(t *testing.T) {
	s := newSite(t, false, map[string]func(http.ResponseWriter, *query){
		"flood": func(w http.ResponseWriter, q *query) {
			send := stream(w)
			for q.Context().Err() == nil {
				send(event(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"emergency","data":"` + strings.Repeat("x", 300_000) + `"}}`))
			}
		},
	})
	k := bridged(t, Config{Upstream: s.remote(), Limits: Limits{Grace: 50 * time.Millisecond}}).open()
	for range 4 {
		k.call("flood", `{}`)
	}
	time.Sleep(100 * time.Millisecond)
	k.in.Close()
	select {
	case err := <-k.done:
		if err != nil {
			t.Errorf("Run = %v", err)
		}
	case <-time.After(patience):
		t.Fatalf("Run does not return\nlog: %s", k.log)
	}
	leave(t)
}

// What came side by side is given back when it was read, though whoever brought it waits
// for the next.
//
// req: U04
func TestBigAnswersAreGivenBack(t *testing.T) {
	const most, size = 64, 1 << 20
	var all sync.WaitGroup
	all.Add(most)
	s := newSite(t, false, map[string]func(http.ResponseWriter, *query){
		"together": func(w http.ResponseWriter, q *query) {
			all.Done()
			all.Wait()
			sendJSON(w, http.StatusOK, result(q.id, text(strings.Repeat("x", size))))
		},
	})
	k := bridged(t, Config{Upstream: s.remote()}).open()
	before := liveHeap()
	for id := range most {
		k.send(callLine(id, "together", `{}`))
	}
	for range most {
		if got := k.receive(); len(got) < size {
			t.Fatalf("got %.200q", got)
		}
	}
	k.wantNext()
	end := time.Now().Add(patience)
	for liveHeap() > before+most*size/4 && time.Now().Before(end) {
		time.Sleep(time.Millisecond)
	}
	if now := liveHeap(); now > before+most*size/4 {
		t.Errorf("%d bytes are held after %d answers of %d", now-before, most, size)
	}
	k.leaveSite()
}

// liveHeap returns the bytes that something holds.
func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
