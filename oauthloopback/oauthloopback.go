// Package oauthloopback receives the one redirect of an OAuth 2.0 sign-in on the
// loopback interface (RFC 8252), and hands the user to the browser without
// showing the authorization URL to anybody else.
//
// A [Receiver] serves one sign-in. It listens on 127.0.0.1 before a browser is
// opened. The browser gets a start URL, which is good for one use and holds
// nothing of the authorization request, since other users can read the arguments
// of a process. The receiver answers it with a redirect to the authorization URL,
// and later takes the redirect that comes back with the state it was given.
// Whatever else is sent to it changes nothing.
//
// The order of a sign-in is
//
//	Listen → RedirectURI → AuthURL → Flow.Run (or Start, an Opener and Wait) → Close
//
// The package makes no request, prints nothing and knows no tokens. Of the
// environment it reads only PATH, where [SystemOpener] looks for programs. What a
// caller does with a [Redirect] begins with its issuer (RFC 9207), before its code
// or its error is looked at.
//
// Codes, states, authorization URLs and start URLs are held in types that cannot
// be printed, logged, encoded or dumped.
package oauthloopback

import (
	"crypto/rand"
	"io"
	"regexp"
	"strings"
	"time"
)

// A Config says what a [Receiver] waits for. Port, State and AppName are the
// caller's to choose; a zero in any other field means its default. A value that
// is out of range is refused by [Listen], never corrected.
type Config struct {
	// Port is the port to listen on. If zero, the system chooses one: another for each
	// sign-in, for servers that let the port of a registered redirect URI vary
	// (RFC 8252, section 7.3).
	Port int

	// CallbackPath is the path of the redirect URI: segments of letters, digits
	// and any of ._~- that each begin with a slash. It must not be /start or lie
	// below it. If empty, it is /callback.
	CallbackPath string

	// State is the state of the authorization request: 32 to 128 letters, digits,
	// underscores and hyphens. It is required, and must be random and new for each
	// sign-in.
	State Secret

	// Timeout bounds the wait for the redirect, from Listen on: 1 second to 1 hour.
	// If zero, it is 300 seconds.
	Timeout time.Duration

	// HeadLimit bounds the head of a request in bytes: 1 KiB to 1 MiB. If zero, it
	// is 16 KiB.
	HeadLimit int

	// HeadTimeout bounds the time until a head is complete: up to 1 minute. If
	// zero, it is 10 seconds.
	HeadTimeout time.Duration

	// MaxConns bounds the connections that are open at a time: 2 to 1024. If zero,
	// it is 16.
	MaxConns int

	// AppName is the name of the program on the pages that the user sees: 1 to 64
	// letters, digits, blanks and any of ._()-. It is required.
	AppName string

	// AllowLoopbackHTTP lets authorization URLs with http through where their host
	// is this machine. It is meant for tests.
	AllowLoopbackHTTP bool

	// Rand is the source of the start URL's token. If nil, it is
	// [crypto/rand.Reader].
	Rand io.Reader

	// Go, if set, starts the goroutines of the receiver, and that of a [Flow] that uses it;
	// the channel is closed when f has ended. So a caller can recover from a panic. If nil,
	// a panic ends the process.
	Go func(f func()) <-chan struct{}

	// OnEvent, if set, is told what happens while the wait goes on. It is called on
	// the goroutine that saw it, without locks, before the browser has its answer, and
	// also while Close runs. So calls can overlap, and should return soon. It may call Abort and RedirectURI of the receiver, but
	// neither Wait nor Close, which wait for that goroutine.
	OnEvent func(Event)
}

// An Event is something that happened and did not end the wait.
type Event struct {
	Kind EventKind

	// Err says why no browser was opened, for BrowserFailed. Its reason is
	// ReasonBrowserFailed or ReasonNoRandom.
	Err *Error
}

// An EventKind says what happened.
type EventKind uint8

// The kinds of events.
const (
	StartUsed     EventKind = 1 + iota // the start URL was opened for the first time
	LateStart                          // it was opened again after the redirect: another program possibly signed in
	BrowserFailed                      // no browser was opened; the user may still open the authorization URL
)

// settings are a Config that was checked, with its defaults.
type settings struct {
	port              int
	callback          string
	state             Secret
	timeout           time.Duration
	heads             headLimits
	conns             int
	pages             pages
	allowLoopbackHTTP bool
	random            io.Reader
	event             func(Event)
	start             func(f func()) <-chan struct{} // nil: run it on the goroutine at hand
}

// run runs f, on a goroutine of the caller's if there are such.
func (s *settings) run(f func()) {
	if s.start == nil {
		f()
		return
	}
	<-s.start(f)
}

var (
	callbackPath = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)
	stateText    = regexp.MustCompile(`^[A-Za-z0-9_-]{32,128}$`)
	appName      = regexp.MustCompile(`^[A-Za-z0-9 ._()-]{1,64}$`)
)

// checked returns the settings, or an error that names the first field that is
// not as its comment says.
func (c Config) checked() (settings, error) {
	s := settings{
		port:              c.Port,
		callback:          or(c.CallbackPath, defaultCallback),
		state:             c.State,
		timeout:           or(c.Timeout, defaultTimeout),
		heads:             headLimits{int64(or(c.HeadLimit, defaultHeadLimit)), or(c.HeadTimeout, defaultHeadTimeout)},
		conns:             or(c.MaxConns, defaultConns),
		allowLoopbackHTTP: c.AllowLoopbackHTTP,
		random:            c.Rand,
		event:             c.OnEvent,
		start:             c.Go,
	}
	if s.random == nil {
		s.random = rand.Reader
	}
	if s.event == nil {
		s.event = func(Event) {}
	}
	for _, field := range []struct {
		name string
		good bool
	}{
		{"Port", s.port >= 0 && s.port <= maxPort},
		{"CallbackPath", goodCallback(s.callback)},
		{"State", stateText.MatchString(s.state.Expose())},
		{"Timeout", within(s.timeout, minTimeout, maxTimeout)},
		{"HeadLimit", within(s.heads.size, minHeadLimit, maxHeadLimit)},
		{"HeadTimeout", within(s.heads.time, 1, maxHeadTimeout)},
		{"MaxConns", within(s.conns, minConns, maxConns)},
		{"AppName", appName.MatchString(c.AppName)},
	} {
		if !field.good {
			return settings{}, &Error{Reason: ReasonConfig, Detail: field.name}
		}
	}
	s.pages = pagesFor(c.AppName)
	return s, nil
}

// A browser resolves dot segments before it asks, so such a path is never asked
// for.
func goodCallback(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			return false
		}
	}
	return callbackPath.MatchString(path) && !strings.HasPrefix(path+"/", startPath)
}

func or[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

func within[T int | int64 | time.Duration](value, least, most T) bool {
	return least <= value && value <= most
}
