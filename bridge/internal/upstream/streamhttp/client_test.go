package streamhttp

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A told is a Receiver that tells the test what it got.
type told struct {
	got chan string

	mu    sync.Mutex // guards pause
	pause chan struct{}
}

func (r *told) Wait() {
	r.mu.Lock()
	pause := r.pause
	r.mu.Unlock()
	if pause != nil {
		<-pause
	}
}
func (r *told) Message(_ mcpwire.Exchange, m *jsonrpc.Message) {
	r.got <- string(m.AppendSpan(nil, m.Result))[:20]
}
func (r *told) BadEvent(mcpwire.Exchange, *jsonrpc.LineError) { r.got <- "bad event" }
func (r *told) Failed(_ mcpwire.Exchange, f *mcpwire.Failure) {
	s := strings.TrimSpace("failed " + string(f.Cause))
	if f.Status != 0 {
		s += fmt.Sprint(" ", f.Status)
	}
	if f.Message != nil {
		s += ", body"
	}
	if f.Again {
		s += fmt.Sprint(", again ", f.Admission)
	}
	if !f.Sent {
		s += ", not sent"
	}
	r.got <- s
}
func (r *told) Extend(ex mcpwire.Exchange, by time.Duration) {
	r.got <- fmt.Sprint("extend ", ex, " ", by)
}
func (r *told) Flush(bool) {}

// connected returns a client of a server that answers by serve.
func connected(t *testing.T, change func(o *Options), serve http.HandlerFunc) (*Client, *told) {
	t.Helper()
	s := httptest.NewServer(serve)
	u, err := ParseURL(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Network: NewNetwork(NetworkOptions{Connect: time.Minute}), URL: func() *url.URL { return u },
		Reader: &jsonrpc.ReaderOptions{MaxLine: 8 << 20},
	}
	if change != nil {
		change(&o)
	}
	c := New(o)
	r := &told{got: make(chan string, 100)}
	c.Start(func(f func()) <-chan struct{} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			f()
		}()
		return done
	}, func() Receiver { return r })
	t.Cleanup(func() {
		c.End()
		c.Stop(0)
		<-c.Done()
		c.Close()
		s.Close()
		if n := c.Waiting(); n != 0 {
			t.Errorf("%d bytes of requests are held", n)
		}
	})
	return c, r
}

func (c *Client) send(id mcpwire.Exchange) {
	c.Append(&mcpwire.Frame{Exchange: id, Lit: []byte(`{}`), Headers: mcpwire.Headers{{Name: "Mcp-Method", Value: "m"}}})
	c.Flush()
}

// A request that is taken back before it was begun never goes out, and one that was begun
// is ended without a word.
func TestTakeBack(t *testing.T) {
	begun, ended := make(chan struct{}, 10), make(chan struct{}, 10)
	c, r := connected(t, nil, func(w http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
		ended <- struct{}{}
	})
	c.Append(&mcpwire.Frame{Exchange: 1, Lit: []byte(`{}`)})
	if !c.TakeBack(1) {
		t.Error("TakeBack = false")
	}
	c.Flush()
	c.send(2)
	<-begun
	c.TakeBack(2)
	<-ended
	c.TakeBack(3) // there is none
	c.Append(&mcpwire.Frame{Lit: []byte(`{}`)})
	c.Flush() // what is no request is never sent
	c.End()
	<-c.Done()
	select {
	case got := <-r.got:
		t.Errorf("%s was handed over", got)
	case <-begun:
		t.Error("another request was begun")
	default:
	}
}

// Of messages that are big, two are on their way at a time; small ones pass by.
//
// req: U04
func TestBigResponsesWait(t *testing.T) {
	big := `{"jsonrpc":"2.0","id":1,"result":{"text":"` + strings.Repeat("x", 4<<20) + `"}}`
	half := make(chan chan struct{}, 10)
	c, r := connected(t, nil, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Mcp-Method") == "small" {
			io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"small":"xxxxxxxxxxxxxxxxxx"}}`)
			return
		}
		rest := make(chan struct{})
		io.WriteString(w, big[:1<<20])
		w.(http.Flusher).Flush()
		half <- rest
		<-rest
		io.WriteString(w, big[1<<20:])
	})
	for id := range mcpwire.Exchange(3) {
		c.send(id + 1)
	}
	rests := []chan struct{}{<-half, <-half, <-half}
	for len(c.room.places) < bigResponses {
		time.Sleep(time.Millisecond)
	}
	c.Append(&mcpwire.Frame{Exchange: 9, Lit: []byte(`{}`), Headers: mcpwire.Headers{{Name: "Mcp-Method", Value: "small"}}})
	c.Flush()
	if got, want := <-r.got, `{"small":"xxxxxxxxxx`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	<-r.got
	for _, rest := range rests {
		close(rest)
	}
	told := map[string]int{}
	for range 6 {
		told[<-r.got]++
	}
	// Nobody said that a message was the answer, so each response has ended too early.
	if want := map[string]int{`{"text":"xxxxxxxxxxx`: 3, "failed upstream_closed": 3}; !maps.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
}
