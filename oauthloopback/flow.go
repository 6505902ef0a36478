package oauthloopback

import (
	"context"
	"errors"
	"sync"
)

// A Delivery says how the user gets to the authorization URL.
type Delivery uint8

// The ways of delivery.
const (
	DeliverNone    Delivery = iota // only Show: nothing is opened, and there is no start URL
	DeliverBrowser                 // the Opener opens a start URL
	DeliverUser                    // Ask puts the AuthURL to the user
)

// An Opener opens a browser. That it takes no AuthURL keeps authorization requests
// out of the arguments of processes.
type Opener interface {
	// Open returns nil once a browser is, as far as one can tell, on its way, and at
	// once when ctx is done. It does not end the browser.
	Open(ctx context.Context, u StartURL) error
}

// A Flow is one way to get a user to the authorization URL and back.
type Flow struct {
	Delivery Delivery

	// Opener opens the browser, for DeliverBrowser.
	Opener Opener

	// Show, if set, is called once and first, with the URL that the user may open
	// by hand whatever happens to the browser. Run goes on when it returns.
	Show func(AuthURL)

	// Ask puts the URL to the user, for DeliverUser. It returns nil for a yes and
	// ErrDeclined for a no; another error means that the question could not be put.
	// It must return when its context is done, which it is once the redirect is
	// there: that can be before the answer.
	Ask func(context.Context, AuthURL) error
}

// Run shows the URL, delivers it and waits for the redirect. A browser that does
// not open is an event, [BrowserFailed], and not an error. A no ends the wait with
// [ReasonDeclined], and another error of Ask with that error. Other errors are those
// of Wait, [ReasonInvalidURL] for a URL of another receiver and [ReasonConfig] for
// a Flow that lacks what its Delivery needs: then nothing was shown.
//
// Run returns when the opener or Ask has returned, too. What is over before it is
// delivered is not delivered.
func (f Flow) Run(ctx context.Context, r *Receiver, u AuthURL) (Redirect, error) {
	if !r.made(u) {
		return Redirect{}, errForeign()
	}
	if f.Delivery == DeliverBrowser && f.Opener == nil || f.Delivery == DeliverUser && f.Ask == nil || f.Delivery > DeliverUser {
		return Redirect{}, &Error{Reason: ReasonConfig, Detail: "Flow"}
	}
	if r.over() {
		return r.Wait(ctx) // nothing is shown or opened for it
	}
	if f.Show != nil {
		f.Show(u)
	}
	if r.over() || ctx.Err() != nil {
		return r.Wait(ctx) // it ended while the URL was shown
	}
	delivering, stop := context.WithCancel(ctx)
	var delivery sync.WaitGroup
	defer delivery.Wait()
	defer stop()
	switch f.Delivery {
	case DeliverBrowser:
		delivery.Go(func() { r.settings.run(func() { f.open(delivering, r, u) }) })
	case DeliverUser:
		delivery.Go(func() { r.settings.run(func() { f.ask(delivering, r, u) }) })
	}
	return r.Wait(ctx)
}

func (f Flow) open(ctx context.Context, r *Receiver, u AuthURL) {
	start, err := r.Start(u)
	if err == nil {
		err = f.Opener.Open(ctx, start)
	}
	if err == nil || ctx.Err() != nil {
		return
	}
	known, ok := errors.AsType[*Error](err)
	if !ok || known == nil || known.Reason != ReasonBrowserFailed && known.Reason != ReasonNoRandom {
		known = notStarted() // the text of a foreign Opener may hold anything
	}
	r.settings.event(Event{Kind: BrowserFailed, Err: known})
}

func (f Flow) ask(ctx context.Context, r *Receiver, u AuthURL) {
	err := f.Ask(ctx, u)
	switch {
	case err == nil, ctx.Err() != nil: // a redirect, or the end, came first
	case errors.Is(err, ErrDeclined):
		r.end(&Error{Reason: ReasonDeclined, Err: ErrDeclined})
	default:
		r.end(err)
	}
}
