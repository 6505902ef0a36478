package oauthloopback

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
)

// openerFunc is a browser that a test plays.
type openerFunc func(ctx context.Context, u StartURL) error

func (f openerFunc) Open(ctx context.Context, u StartURL) error { return f(ctx, u) }

// visit is a browser that goes to the start URL, and comes back with a query.
func visit(t *testing.T, r *Receiver, query string) openerFunc {
	return func(_ context.Context, u StartURL) error {
		if got := get(t, r, strings.TrimPrefix(u.Raw(), "http://"+r.host)); got.status != 303 {
			t.Errorf("start URL: status %d, want 303", got.status)
		}
		get(t, r, "/callback"+query)
		return nil
	}
}

// req: S04, S13
func TestFlowOpensTheBrowser(t *testing.T) {
	r := listen(t, config())
	u := goodURL(t, r)
	var order []string
	f := Flow{
		Delivery: DeliverBrowser,
		Show:     func(shown AuthURL) { order = append(order, shown.Raw()) },
		Opener: openerFunc(func(ctx context.Context, s StartURL) error {
			order = append(order, "open")
			if !strings.HasPrefix(s.Raw(), "http://"+r.host+"/start/") || len(s.Raw()) != len("http://"+r.host+"/start/")+43 {
				t.Errorf("start URL %q", s.Raw())
			}
			return visit(t, r, codeQuery)(ctx, s)
		}),
	}
	redirect, err := f.Run(t.Context(), r, u)
	if err != nil || redirect.Code() != testCode {
		t.Errorf("Run() = %q, %v; want the code", redirect.Code(), err)
	}
	if len(order) != 2 || order[0] != u.Raw() || order[1] != "open" {
		t.Errorf("order %q, want the authorization URL once and then the browser", order)
	}
}

// Each sign-in has a token of its own.
//
// req: S13
func TestStartTokens(t *testing.T) {
	seen := map[string]bool{}
	for range 50 {
		r := listen(t, config())
		target, u := started(t, r)
		token := strings.TrimPrefix(target, "/start/")
		if len(token) != 43 || strings.Trim(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") != "" || seen[token] {
			t.Errorf("token %q", token)
		}
		seen[token] = true
		_, err := r.Start(u)
		wantReason(t, err, ReasonConfig)
		r.Close()
	}
	c := config()
	c.Rand = bytes.NewReader(bytes.Repeat([]byte{0xFF}, tokenBytes))
	r := listen(t, c)
	if target, _ := started(t, r); target != "/start/"+strings.Repeat("_", 42)+"8" {
		t.Errorf("32 bytes of 0xFF: %q", target)
	}
}

// Without random bytes there is no start URL, no browser, and the wait goes on.
//
// req: S13
func TestFlowWithoutRandomBytes(t *testing.T) {
	for name, source := range map[string]io.Reader{
		"an error": iotest.ErrReader(errors.New("zQ")), "too few": bytes.NewReader(make([]byte, tokenBytes-1)),
	} {
		t.Run(name, func(t *testing.T) {
			c, events := recorded()
			c.Rand = source
			r := listen(t, c)
			f := Flow{Delivery: DeliverBrowser, Opener: openerFunc(func(context.Context, StartURL) error {
				t.Error("a browser is opened")
				return nil
			})}
			done := make(chan error, 1)
			go func() {
				_, err := f.Run(t.Context(), r, goodURL(t, r))
				done <- err
			}()
			e := wantEvent(t, events, BrowserFailed)
			wantReason(t, e.Err, ReasonNoRandom)
			wantAnswer(t, get(t, r, "/start/"), 404, titleNotFound)
			wantAnswer(t, get(t, r, "/callback"+codeQuery), 200, titleDone)
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// req: S13
func TestFlowBrowserFails(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		code int
	}{
		"an exit code":               {&Error{Reason: ReasonBrowserFailed, ExitCode: 3}, 3},
		"a foreign error":            {errors.New("zQ"), -1},
		"no error in an error":       {(*Error)(nil), -1},
		"an error of another reason": {&Error{Reason: ReasonConfig, Detail: "zQ"}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			c, events := recorded()
			r := listen(t, c)
			f := Flow{Delivery: DeliverBrowser, Opener: openerFunc(func(context.Context, StartURL) error { return tt.err })}
			done := make(chan error, 1)
			go func() {
				_, err := f.Run(t.Context(), r, goodURL(t, r))
				done <- err
			}()
			e := wantEvent(t, events, BrowserFailed)
			if e.Err.Reason != ReasonBrowserFailed || e.Err.ExitCode != tt.code || strings.Contains(e.Err.Error(), "zQ") {
				t.Errorf("event with %v, want exit code %d", e.Err, tt.code)
			}
			stillWaits(t, r)
			get(t, r, "/callback"+codeQuery)
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
	}
}

// Nothing is opened, and there is no start URL.
//
// req: S13
func TestFlowDeliversNothing(t *testing.T) {
	virtual(t, config(), func(t *testing.T, r *Receiver, p *pipes) {
		f := Flow{Opener: openerFunc(func(context.Context, StartURL) error {
			t.Error("a browser is opened")
			return nil
		})}
		var run sync.WaitGroup
		run.Go(func() {
			if _, err := f.Run(t.Context(), r, goodURL(t, r)); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait() // Run has nothing more to do than to wait
		if r.signIn.startOn {
			t.Error("there is a start URL")
		}
		for target, want := range map[string]int{"/start/": 404, "/callback" + codeQuery: 200} {
			c := p.dial()
			if got := ask(t, c, request(r, "GET", target)); got != want {
				t.Errorf("%s: status %d, want %d", strings.TrimSuffix(target, codeQuery), got, want)
			}
			c.Close()
		}
		run.Wait()
	})
}

func TestFlowAsks(t *testing.T) {
	foreign := errors.New("the question could not be put")
	for _, tt := range []struct {
		name   string
		ask    func(ctx context.Context, t *testing.T, r *Receiver) error
		reason Reason
		err    error // is in the result
	}{
		{"yes", func(context.Context, *testing.T, *Receiver) error { return nil }, "", nil},
		{"the redirect before the answer", func(ctx context.Context, t *testing.T, r *Receiver) error {
			get(t, r, "/callback"+codeQuery)
			<-ctx.Done()
			return ErrDeclined
		}, "", nil},
		{"no", func(context.Context, *testing.T, *Receiver) error { return ErrDeclined }, ReasonDeclined, ErrDeclined},
		{"no, wrapped", func(context.Context, *testing.T, *Receiver) error {
			return errors.Join(errors.New("zQ"), ErrDeclined)
		}, ReasonDeclined, ErrDeclined},
		{"not asked", func(context.Context, *testing.T, *Receiver) error { return foreign }, "", foreign},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := listen(t, config())
			u := goodURL(t, r)
			var browser sync.WaitGroup
			f := Flow{Delivery: DeliverUser, Ask: func(ctx context.Context, asked AuthURL) error {
				if asked.Raw() != u.Raw() {
					t.Errorf("asked with %q, want %q", asked.Raw(), u.Raw())
				}
				err := tt.ask(ctx, t, r)
				if err == nil {
					browser.Go(func() { get(t, r, "/callback"+codeQuery) })
				}
				return err
			}}
			redirect, err := f.Run(t.Context(), r, u)
			browser.Wait()
			switch {
			case tt.reason != "":
				wantReason(t, err, tt.reason)
			case tt.err == nil && (err != nil || redirect.Code() != testCode):
				t.Errorf("Run() = %q, %v; want the code", redirect.Code(), err)
			}
			if tt.err != nil && !errors.Is(err, tt.err) {
				t.Errorf("error %v, want %v", err, tt.err)
			}
			if err != nil && strings.Contains(err.Error(), "zQ") {
				t.Errorf("error %v holds a text from outside", err)
			}
		})
	}
}

// The end of the context ends the wait, and what the opener and Ask then return is not
// looked at.
//
// req: S10
func TestFlowIsCancelled(t *testing.T) {
	for name, flow := range map[string]func(cancel context.CancelFunc) Flow{
		"browser": func(cancel context.CancelFunc) Flow {
			return Flow{Delivery: DeliverBrowser, Opener: openerFunc(func(ctx context.Context, _ StartURL) error {
				cancel()
				return ctx.Err()
			})}
		},
		"user": func(cancel context.CancelFunc) Flow {
			return Flow{Delivery: DeliverUser, Ask: func(ctx context.Context, _ AuthURL) error {
				cancel()
				return ctx.Err()
			}}
		},
		"none": func(cancel context.CancelFunc) Flow { return Flow{Show: func(AuthURL) { cancel() }} },
	} {
		t.Run(name, func(t *testing.T) {
			c, events := recorded()
			r := listen(t, c)
			ctx, cancel := context.WithCancel(t.Context())
			_, err := flow(cancel).Run(ctx, r, goodURL(t, r))
			wantReason(t, err, ReasonAborted)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want one that is context.Canceled", err)
			}
			if len(events) > 0 {
				t.Errorf("event %v", <-events)
			}
		})
	}
}

// undelivered is a flow that must not get to the user.
func undelivered(t *testing.T, d Delivery, show func(AuthURL)) Flow {
	return Flow{Delivery: d, Show: show, Opener: openerFunc(func(context.Context, StartURL) error {
		t.Error("a browser is opened")
		return nil
	}), Ask: func(context.Context, AuthURL) error {
		t.Error("the user is asked")
		return nil
	}}
}

// A sign-in that is over is not begun.
//
// req: S10
func TestFlowOfASignInThatIsOver(t *testing.T) {
	for name, d := range map[string]Delivery{"browser": DeliverBrowser, "user": DeliverUser} {
		t.Run(name, func(t *testing.T) {
			r := listen(t, config())
			u := goodURL(t, r)
			r.Abort()
			_, err := undelivered(t, d, func(AuthURL) { t.Error("the URL is shown") }).Run(t.Context(), r, u)
			wantReason(t, err, ReasonAborted)
		})
		t.Run(name+", over while the URL is shown", func(t *testing.T) {
			r := listen(t, config())
			_, err := undelivered(t, d, func(AuthURL) { r.Abort() }).Run(t.Context(), r, goodURL(t, r))
			wantReason(t, err, ReasonAborted)
		})
		t.Run(name+", cancelled while the URL is shown", func(t *testing.T) {
			r := listen(t, config())
			ctx, cancel := context.WithCancel(t.Context())
			_, err := undelivered(t, d, func(AuthURL) { cancel() }).Run(ctx, r, goodURL(t, r))
			wantReason(t, err, ReasonAborted)
		})
	}
}

func TestFlowWithoutItsParts(t *testing.T) {
	r := listen(t, config())
	for _, f := range []Flow{{Delivery: DeliverBrowser}, {Delivery: DeliverUser}, {Delivery: 9}} {
		_, err := f.Run(t.Context(), r, goodURL(t, r))
		wantReason(t, err, ReasonConfig)
	}
	stillWaits(t, r)
}

// An event may end the sign-in.
func TestAbortInAnEvent(t *testing.T) {
	c := config()
	var r *Receiver
	c.OnEvent = func(e Event) {
		if r.RedirectURI() == "" {
			t.Error("no redirect URI")
		}
		r.Abort()
	}
	r = listen(t, c)
	target, _ := started(t, r)
	get(t, r, target)
	_, err := wait(t, r)
	wantReason(t, err, ReasonAborted)
}

// Each error has a text of its own, which names what it must.
func TestErrorTexts(t *testing.T) {
	seen := map[string]Reason{}
	for _, reason := range []Reason{
		ReasonConfig, ReasonAddressInUse, ReasonBindFailed, ReasonInvalidURL, ReasonNoRandom, ReasonBrowserFailed, ReasonTimeout, ReasonAborted,
		ReasonStartReused, ReasonDeclined, "",
	} {
		text := (&Error{Reason: reason, Err: errors.New("zQ")}).Error()
		if !strings.HasPrefix(text, "oauthloopback: ") || strings.Contains(text, "zQ") || seen[text] != "" {
			t.Errorf("%s: text %q", reason, text)
		}
		seen[text] = reason
	}
}
