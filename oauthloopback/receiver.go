package oauthloopback

import (
	"context"
	"encoding/base64"
	"io"
	"net"
	"strconv"
	"sync"
	"time"
)

// A Receiver listens on 127.0.0.1 and waits for the redirect of one sign-in. Its
// methods may be called from several goroutines.
type Receiver struct {
	settings settings
	host     string // 127.0.0.1:port
	server   *server
	deadline time.Time
	ended    chan struct{} // closed when the wait is over, and its page is written

	release func() // ends the timer, and the link to the context of Listen
	closing sync.Once
	failed  error // of closing the listener; read after closing

	mu     sync.Mutex // guards the field below
	signIn signIn
}

// Listen binds the port and serves it. The caller must call Close. The end of ctx
// ends the wait, and nothing else.
//
// The port is not shared: a program that listens on it already, on all addresses
// too, makes Listen fail with [ReasonAddressInUse] where the system can tell.
func Listen(ctx context.Context, c Config) (*Receiver, error) {
	s, err := c.checked()
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, aborted(ctx)
	}
	listener, err := bind(ctx, s.port)
	if err != nil {
		reason := ReasonBindFailed
		if addressInUse(err) {
			reason = ReasonAddressInUse
		}
		return nil, &Error{Reason: reason, Port: s.port}
	}
	return newReceiver(ctx, s, listener), nil
}

// bind listens on the one address that a redirect URI can name on every system:
// localhost can be either protocol's, and a wildcard is everybody's.
func bind(ctx context.Context, port int) (net.Listener, error) {
	config := net.ListenConfig{Control: exclusive}
	config.SetMultipathTCP(false)
	return config.Listen(ctx, "tcp4", loopback(port))
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

func newReceiver(ctx context.Context, s settings, listener net.Listener) *Receiver {
	r := &Receiver{
		settings: s,
		host:     listener.Addr().String(),
		deadline: time.Now().Add(s.timeout),
		ended:    make(chan struct{}),
	}
	timer := time.AfterFunc(s.timeout, r.expire)
	unlink := context.AfterFunc(ctx, func() { r.end(aborted(ctx)) })
	r.release = func() {
		timer.Stop()
		unlink()
	}
	r.server = serve(listener, s.heads, s.conns, r.answer, r.settings.run)
	return r
}

func aborted(ctx context.Context) *Error { return &Error{Reason: ReasonAborted, Err: ctx.Err()} }

// RedirectURI returns the redirect URI, to register and to send as it is.
func (r *Receiver) RedirectURI() string { return "http://" + r.host + r.settings.callback }

// Start makes a start URL that leads to u, and lets it be opened. It can be called
// once, with an AuthURL of this receiver: otherwise the error has the reason
// [ReasonConfig] or [ReasonInvalidURL]. If there are no random bytes it has
// [ReasonNoRandom]; the sign-in can go on by u alone.
func (r *Receiver) Start(u AuthURL) (StartURL, error) {
	if !r.made(u) {
		return StartURL{}, errForeign()
	}
	random := make([]byte, tokenBytes)
	if _, err := io.ReadFull(r.settings.random, random); err != nil {
		return StartURL{}, &Error{Reason: ReasonNoRandom}
	}
	token := base64.RawURLEncoding.EncodeToString(random)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.signIn.startOn {
		return StartURL{}, &Error{Reason: ReasonConfig, Detail: "second Start"}
	}
	r.signIn.startOn = true
	r.signIn.token = NewSecret(token)
	r.signIn.target = u
	origin := "http://" + r.host + startPath
	return StartURL{seal(origin+token, origin+"…")}, nil
}

// Wait returns the redirect once the browser has its page, or an error that says
// why there will be none. There is one result, whoever waits and how often. The
// end of ctx ends the sign-in for all who wait; a redirect that has arrived comes
// before that.
func (r *Receiver) Wait(ctx context.Context) (Redirect, error) {
	select {
	case <-r.ended:
	case <-ctx.Done():
		r.end(aborted(ctx))
		<-r.ended // at once, or when the page of a redirect is written
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.signIn.redirect, r.signIn.err
}

// Abort ends the wait, unless it is over.
func (r *Receiver) Abort() { r.end(&Error{Reason: ReasonAborted}) }

// Close ends the wait and frees the port. When it returns, no connection and no
// goroutine of the receiver is left. It may be called more than once, and returns
// the error of closing the listener, if any. A caller that got a code keeps the receiver open until it has its tokens: only so can
// the user still be warned by [LateStart].
func (r *Receiver) Close() error {
	r.closing.Do(func() {
		r.Abort()
		r.release()
		r.failed = r.server.close()
	})
	return r.failed
}

// over says that there is a result.
func (r *Receiver) over() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

// end ends the wait with err, unless it is over.
func (r *Receiver) end(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.expireLocked()
	r.endLocked(err)
}

// expire ends the wait if its time is up.
func (r *Receiver) expire() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.expireLocked()
}

// expireLocked is called before every other change: a timer can be late.
func (r *Receiver) expireLocked() {
	if !time.Now().Before(r.deadline) {
		r.endLocked(&Error{Reason: ReasonTimeout})
	}
}

func (r *Receiver) endLocked(err error) {
	if r.signIn.end(err) {
		close(r.ended)
	}
}
