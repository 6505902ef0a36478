package loopbacktest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/oauthloopback"
)

// A Browser opens start URLs as a user's browser does: it follows every redirect,
// and asks for nothing twice. The fields make it do more. Its zero value is ready.
type Browser struct {
	// Transport makes the requests. If nil, it is a plain one: set it for a server
	// with a certificate of your own.
	Transport http.RoundTripper

	// Silent is how many connections it opens to the receiver first, on which it
	// never says anything.
	Silent int

	// Stray are targets that it asks the receiver for before it goes to the start
	// URL, such as /favicon.ico or a redirect of an old tab.
	Stray []string

	// Leave has it stop at the authorization server, as a user does who closes the
	// tab.
	Leave bool

	// Twice has it open the start URL twice before it goes on, as when another
	// program has seen it. Late has it open it again after all, as long as the receiver
	// is open: a ServerOptions.Token that calls Pages keeps a program until then.
	Twice, Late bool

	trips sync.WaitGroup

	mu    sync.Mutex // guards the field below
	pages []Page
}

// patience bounds one trip of a browser.
const patience = 30 * time.Second

// A Page is one answer of the receiver.
type Page struct {
	// Target is the path that was asked for. The query, which holds secrets, and the
	// token of a start URL are left out.
	Target string
	Status int
	Body   string // HTML, or empty
}

var _ oauthloopback.Opener = (*Browser)(nil)

// Open goes to the start URL and returns when the last page is there, or ctx is
// done. As with a real browser, the end of ctx does not keep it from going on.
func (b *Browser) Open(ctx context.Context, u oauthloopback.StartURL) error {
	return b.trip(ctx, func(ctx context.Context) error { return b.open(ctx, u) })
}

// trip goes somewhere, and is back at the end of ctx at the latest.
func (b *Browser) trip(ctx context.Context, through func(context.Context) error) error {
	back := make(chan error, 1)
	b.trips.Go(func() {
		trip, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		back <- through(trip)
	})
	select {
	case err := <-back:
		return err
	case <-ctx.Done():
		return nil
	}
}

func (b *Browser) open(ctx context.Context, u oauthloopback.StartURL) error {
	start, err := url.Parse(u.Raw())
	if err != nil || start.Host == "" {
		return errors.New("loopbacktest: open: empty start URL")
	}
	for range b.Silent {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp4", start.Host)
		if err != nil {
			return fmt.Errorf("loopbacktest: open: %w", err)
		}
		defer c.Close()
	}
	for _, target := range b.Stray {
		if _, err := b.get(ctx, start.Host, "http://"+start.Host+target); err != nil {
			return err
		}
	}
	location, err := b.get(ctx, start.Host, u.Raw())
	if err != nil {
		return err
	}
	if b.Twice {
		if _, err := b.get(ctx, start.Host, u.Raw()); err != nil {
			return err
		}
	}
	if err := b.follow(ctx, start.Host, location); err != nil {
		return err
	}
	if b.Late {
		_, err = b.get(ctx, start.Host, u.Raw())
	}
	return err
}

// Visit goes to an authorization URL by hand, as a user does who was only shown it
// (in Flow.Show) or asked (in Flow.Ask). It returns as Open does.
func (b *Browser) Visit(ctx context.Context, u oauthloopback.AuthURL) error {
	address, err := url.Parse(u.Raw())
	if err != nil {
		return errors.New("loopbacktest: visit: bad address")
	}
	receiver, err := url.Parse(address.Query().Get("redirect_uri"))
	if err != nil || receiver.Host == "" {
		return errors.New("loopbacktest: visit: no redirect URI")
	}
	return b.trip(ctx, func(ctx context.Context) error { return b.follow(ctx, receiver.Host, u.Raw()) })
}

// Pages returns the answers of the receiver, redirects among them. It waits for the
// browser to come to an end.
func (b *Browser) Pages() []Page {
	b.trips.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Page(nil), b.pages...)
}

// maxHops bounds the redirects of one sign-in.
const maxHops = 10

// follow goes to a location and on to the receiver.
func (b *Browser) follow(ctx context.Context, receiver, location string) error {
	for range maxHops {
		if location == "" {
			return nil
		}
		next, err := b.get(ctx, receiver, location)
		if err != nil || b.Leave {
			return err
		}
		location = next
	}
	return errors.New("loopbacktest: open: too many redirects")
}

// get asks for one page, and returns where it leads on to. Pages of the receiver
// are kept. No error holds the address.
func (b *Browser) get(ctx context.Context, receiver, address string) (location string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", errors.New("loopbacktest: open: bad address")
	}
	resp, err := b.transport().RoundTrip(req)
	if err != nil {
		return "", fmt.Errorf("loopbacktest: open: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", fmt.Errorf("loopbacktest: read page: %w", err)
	}
	if req.URL.Host == receiver {
		b.keep(Page{Target: withoutToken(req.URL.Path), Status: resp.StatusCode, Body: string(body)})
	}
	next, err := resp.Location()
	if err != nil {
		return "", nil // it is the last one
	}
	return next.String(), nil
}

func (b *Browser) keep(p Page) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pages = append(b.pages, p)
}

func (b *Browser) transport() http.RoundTripper {
	if b.Transport != nil {
		return b.Transport
	}
	return &http.Transport{DisableKeepAlives: true}
}

func withoutToken(path string) string {
	if strings.HasPrefix(path, "/start/") {
		return "/start/…"
	}
	return path
}
