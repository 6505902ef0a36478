package streamhttp

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/halt"
	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// A Receiver is how one goroutine hands over what the server says.
type Receiver interface {
	// Wait returns when more is wanted.
	Wait()
	// Message takes a message in the response to the request ex, BadEvent an event that is
	// none, and Failed how that response has ended instead.
	Message(ex mcpwire.Exchange, m *jsonrpc.Message)
	BadEvent(ex mcpwire.Exchange, e *jsonrpc.LineError)
	Failed(ex mcpwire.Exchange, f *mcpwire.Failure)
	// Extend says that the request ex waits for a person, for so long at most.
	Extend(ex mcpwire.Exchange, by time.Duration)
	// Flush passes on what came of that. If more waits, it may leave that for later.
	Flush(more bool)
}

// Options configure a [Client]. Everything is required but Headers, Access, NoRedirects,
// Idle and Distrust.
type Options struct {
	Network *Network
	URL     func() *url.URL // see ParseURL
	Headers []Header
	Reader  *jsonrpc.ReaderOptions // its MaxLine bounds one response or event
	Access  Access                 // nil: requests are let in, or not

	NoRedirects bool          // refuse those within the origin too
	Idle        time.Duration // that a stream of notifications may be silent; zero: see U09

	// Distrust is told of the first certificate that is refused.
	Distrust func(*Distrust)
}

// A Client is one server. Each request that is appended becomes a POST of its own.
type Client struct {
	o       Options
	headers func() http.Header // of each request
	cookies *cookies           // nil if the configuration has some
	room    *room
	batches *jsonrpc.ReaderOptions // of what comes from an older server (L11)
	receive func() Receiver
	start   func(f func()) <-chan struct{}

	ctx     context.Context // of every exchange
	cancel  context.CancelCauseFunc
	waiting atomic.Int64 // bytes of requests that may have to be sent
	told    sync.Once    // of a certificate that is refused

	mu         sync.Mutex // guards the fields below
	appends    []*exchange
	open       map[mcpwire.Exchange]*exchange // not over for this client
	streams    map[*exchange]struct{}         // that belong to no request, of an older server
	outbox     []*message                     // to an older server, in order; the first is on its way
	session    *session                       // with an older server; nil if there is none
	delivering bool                           // a goroutine sends what is in the outbox
	oldNext    bool                           // the next one is to be over what 2024-11-05 has
	signed     chan struct{}                  // closed with the next sign-in
	idle       []Receiver                     // of exchanges that are over
	running    []<-chan struct{}              // each closed when the goroutine of an exchange has ended
	ended      bool                           // nothing more is appended
	ending     chan struct{}                  // closed with that
	done       chan struct{}                  // closed once ended and nothing is open
}

// New returns a Client.
func New(o Options) *Client {
	headers := base(o.Headers)
	c := &Client{
		o: o, headers: func() http.Header { return headers }, room: newRoom(),
		open: make(map[mcpwire.Exchange]*exchange), done: make(chan struct{}),
		streams: make(map[*exchange]struct{}), signed: make(chan struct{}), ending: make(chan struct{}),
	}
	batches := *o.Reader
	batches.Batches = true
	c.batches = &batches
	if len(headers[cookieName]) == 0 {
		c.cookies = &cookies{}
	}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	return c
}

// Start says how goroutines are started, and how each of them hands over.
func (c *Client) Start(start func(f func()) <-chan struct{}, receive func() Receiver) {
	c.start, c.receive = start, receive
}

// Append takes a request, or another message to an older server. It does not block.
func (c *Client) Append(f *mcpwire.Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	var o *older
	if f.Opens || c.session != nil {
		o = c.olderOf(f)
	}
	if f.Exchange == 0 && o == nil { // no other message is ever sent (T190)
		return
	}
	x := newExchange(c, f, o)
	c.waiting.Add(int64(x.body.size))
	if f.Exchange == 0 {
		c.queue(x)
		return
	}
	c.open[x.id] = x
	c.appends = append(c.appends, x)
}

// TakeBack ends the exchange ex: if it was not begun, it never is. It reports false, and
// does nothing, for a request that was sent to an older server, to which the end of its
// response tells nothing (L10).
func (c *Client) TakeBack(ex mcpwire.Exchange) bool {
	x := c.exchange(ex)
	if x == nil {
		return true
	}
	if x.older != nil && x.isSent() {
		return false
	}
	x.finish()
	return true
}

// Over ends the exchange ex, of which nothing more is wanted.
func (c *Client) Over(ex mcpwire.Exchange) {
	if x := c.exchange(ex); x != nil {
		x.finish()
	}
}

// exchange returns the one that is open, or nil.
func (c *Client) exchange(ex mcpwire.Exchange) *exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open[ex]
}

// Waiting returns the bytes of requests that were not sent yet, or may have to be sent
// again.
func (c *Client) Waiting() int { return int(c.waiting.Load()) }

// Flush begins the exchanges that were appended.
func (c *Client) Flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.appends {
		c.join(c.start(func() { c.run(x) }))
	}
	clear(c.appends)
	c.appends = c.appends[:0]
	c.deliverAll()
}

// join keeps the end of a goroutine for Close to wait for, and forgets those that came.
// The caller holds the lock.
func (c *Client) join(ended <-chan struct{}) {
	if len(c.running) == cap(c.running) {
		c.running = slices.DeleteFunc(c.running, isClosed)
	}
	c.running = append(c.running, ended)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// run is the goroutine of an exchange.
func (c *Client) run(x *exchange) {
	defer c.close(x)
	r := c.receiver()
	if f := x.run(r); f != nil && !x.isOver() {
		r.Failed(x.id, f)
	}
	r.Flush(false)
	c.giveBack(r)
}

// distrust tells of err, of a handshake, if it is the first about a certificate.
func (c *Client) distrust(err error) {
	if d := distrustOf(err); d != nil && c.o.Distrust != nil {
		c.told.Do(func() { c.o.Distrust(d) })
	}
}

// receiver returns one that is not in use.
func (c *Client) receiver() Receiver {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.idle); n > 0 {
		r := c.idle[n-1]
		c.idle = c.idle[:n-1]
		return r
	}
	return c.receive()
}

func (c *Client) giveBack(r Receiver) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, r)
}

// close forgets an exchange that has ended.
func (c *Client) close(x *exchange) {
	x.finish()
	if x.body != nil {
		x.body.release()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if x.id != 0 {
		delete(c.open, x.id)
	} else {
		delete(c.streams, x)
	}
	c.settle()
}

// settle says that nothing is open after the end, when streams that belong to no request
// have nothing to go on for. The caller holds the lock.
func (c *Client) settle() {
	if !c.ended || len(c.open) > 0 || len(c.outbox) > 0 {
		return
	}
	for x := range c.streams {
		x.finish()
	}
	if len(c.streams) > 0 {
		return
	}
	select {
	case <-c.done:
	default:
		close(c.done)
	}
}

// End says that nothing more is appended.
func (c *Client) End() {
	c.Flush()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		close(c.ending)
	}
	c.ended = true
	c.settle()
}

// Drop ends every exchange.
func (c *Client) Drop() {
	c.mu.Lock()
	open := make([]*exchange, 0, len(c.open)+len(c.streams))
	for _, x := range c.open {
		open = append(open, x)
	}
	for x := range c.streams {
		open = append(open, x)
	}
	c.mu.Unlock()
	for _, x := range open {
		x.finish()
	}
	c.cancel(errOver)
}

// Stop returns when every exchange has ended after End, or after grace, when they are
// ended, and an older server has been told that its session is over, for which it has grace,
// too.
func (c *Client) Stop(grace time.Duration) {
	if !halt.Within(c.done, grace) {
		c.End()
		c.Drop()
	}
	c.leaveSession(grace)
}

// Done is closed when every exchange has ended after End.
func (c *Client) Done() <-chan struct{} { return c.done }

// Interrupt ends every exchange.
func (c *Client) Interrupt() { c.Drop() }

// Close closes the connections.
func (c *Client) Close() {
	c.cancel(errOver)
	c.o.Network.Close()
	c.mu.Lock()
	running := c.running
	c.mu.Unlock()
	for _, ended := range running {
		<-ended
	}
}
