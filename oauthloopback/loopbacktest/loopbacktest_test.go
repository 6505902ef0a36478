package loopbacktest_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/oauth2"

	"github.com/trestle-mcp/trestle/oauthloopback"
	"github.com/trestle-mcp/trestle/oauthloopback/loopbacktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A signIn is a program with a sign-in of its own.
type signIn struct {
	server   *loopbacktest.Server
	receiver *oauthloopback.Receiver
	config   oauth2.Config
	verifier string
	url      oauthloopback.AuthURL
	events   chan oauthloopback.EventKind
}

const state = "state-of-the-test-0123456789abcdefghij"

func prepare(t *testing.T, o *loopbacktest.ServerOptions) *signIn {
	t.Helper()
	s := &signIn{verifier: oauth2.GenerateVerifier(), events: make(chan oauthloopback.EventKind, 10)}
	var err error
	if s.server, err = loopbacktest.NewServer(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.server.Close)
	s.receiver, err = oauthloopback.Listen(t.Context(), oauthloopback.Config{
		State: oauthloopback.NewSecret(state), AppName: "Test", AllowLoopbackHTTP: true,
		OnEvent: func(e oauthloopback.Event) { s.events <- e.Kind },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.receiver.Close() })
	s.config = oauth2.Config{
		ClientID: "client", RedirectURL: s.receiver.RedirectURI(),
		Endpoint: oauth2.Endpoint{AuthURL: s.server.AuthURL, TokenURL: s.server.TokenURL, AuthStyle: oauth2.AuthStyleInParams},
	}
	s.url, err = s.receiver.AuthURL(s.config.AuthCodeURL(state, oauth2.S256ChallengeOption(s.verifier)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *signIn) run(t *testing.T, b *loopbacktest.Browser) (oauthloopback.Redirect, error) {
	f := oauthloopback.Flow{Delivery: oauthloopback.DeliverBrowser, Opener: b}
	return f.Run(t.Context(), s.receiver, s.url)
}

func statuses(b *loopbacktest.Browser) []int {
	var out []int
	for _, p := range b.Pages() {
		out = append(out, p.Status)
	}
	return out
}

func TestApproved(t *testing.T) {
	s := prepare(t, nil)
	b := &loopbacktest.Browser{Silent: 3, Stray: []string{"/favicon.ico", "/callback?code=x&state=old"}}
	redirect, err := s.run(t, b)
	if err != nil {
		t.Fatal(err)
	}
	if iss, _ := redirect.Iss(); iss != s.server.Issuer {
		t.Errorf("issuer %q, want %q", iss, s.server.Issuer)
	}
	token, err := s.config.Exchange(t.Context(), redirect.Code(), oauth2.VerifierOption(s.verifier))
	if err != nil || token.AccessToken == "" || token.RefreshToken == "" {
		t.Errorf("Exchange() = %v, %v", token, err)
	}
	if got, want := statuses(b), []int{404, 400, 303, 200}; !slices.Equal(got, want) {
		t.Errorf("statuses %v, want %v", got, want)
	}
	if last := b.Pages()[3]; last.Target != "/callback" || !strings.Contains(last.Body, "You can close this tab") {
		t.Errorf("last page %+v", last)
	}
	for _, p := range b.Pages() {
		if strings.Contains(p.Target, "?") || strings.HasPrefix(p.Target, "/start/") && p.Target != "/start/…" {
			t.Errorf("target %q", p.Target)
		}
	}
	if got := s.server.Requests(); len(got) != 1 || got[0].Get("client_id") != "client" {
		t.Errorf("requests %v", got)
	}
}

func TestDenied(t *testing.T) {
	s := prepare(t, &loopbacktest.ServerOptions{Error: "access_denied"})
	redirect, err := s.run(t, &loopbacktest.Browser{})
	if err != nil || redirect.Code() != "" || redirect.ErrorCode() != "access_denied" {
		t.Errorf("Run() = code %q, error %q, %v", redirect.Code(), redirect.ErrorCode(), err)
	}
}

func TestBrowserOpensTwice(t *testing.T) {
	s := prepare(t, nil)
	b := &loopbacktest.Browser{Twice: true}
	_, err := s.run(t, b)
	if e, ok := errors.AsType[*oauthloopback.Error](err); !ok || e.Reason != oauthloopback.ReasonStartReused {
		t.Errorf("error %v, want start_reused", err)
	}
}

func TestBrowserComesLate(t *testing.T) {
	s := prepare(t, nil)
	b := &loopbacktest.Browser{Late: true}
	start, err := s.receiver.Start(s.url)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Open(t.Context(), start); err != nil {
		t.Fatal(err)
	}
	if got, want := statuses(b), []int{303, 200, 410}; !slices.Equal(got, want) {
		t.Errorf("statuses %v, want %v", got, want)
	}
	if first, second := <-s.events, <-s.events; first != oauthloopback.StartUsed || second != oauthloopback.LateStart {
		t.Errorf("events %v, %v", first, second)
	}
}

func TestBrowserLeaves(t *testing.T) {
	s := prepare(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f := oauthloopback.Flow{Delivery: oauthloopback.DeliverBrowser, Opener: opener(func(ctx context.Context, u oauthloopback.StartURL) error {
		defer cancel()
		return (&loopbacktest.Browser{Leave: true}).Open(ctx, u)
	})}
	_, err := f.Run(ctx, s.receiver, s.url)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the end of the context", err)
	}
	if len(s.server.Requests()) != 1 {
		t.Error("the browser was not at the server")
	}
}

type opener func(context.Context, oauthloopback.StartURL) error

func (f opener) Open(ctx context.Context, u oauthloopback.StartURL) error { return f(ctx, u) }

func TestVisitByHand(t *testing.T) {
	s := prepare(t, nil)
	b := &loopbacktest.Browser{Transport: &http.Transport{DisableKeepAlives: true}}
	f := oauthloopback.Flow{Show: func(u oauthloopback.AuthURL) {
		if err := b.Visit(t.Context(), u); err != nil {
			t.Error(err)
		}
	}}
	redirect, err := f.Run(t.Context(), s.receiver, s.url)
	if err != nil || redirect.Code() == "" {
		t.Errorf("Run() = %q, %v", redirect.Code(), err)
	}
	if got, want := statuses(b), []int{200}; !slices.Equal(got, want) {
		t.Errorf("statuses %v, want %v", got, want)
	}
}

// Whoever asks the user is told that there is a redirect before the browser has read
// its page. The page is there all the same.
func TestVisitWhenAsked(t *testing.T) {
	s := prepare(t, nil)
	b := &loopbacktest.Browser{}
	f := oauthloopback.Flow{Delivery: oauthloopback.DeliverUser, Ask: func(ctx context.Context, u oauthloopback.AuthURL) error {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		return b.Visit(ctx, u)
	}}
	redirect, err := f.Run(t.Context(), s.receiver, s.url)
	if err != nil || redirect.Code() == "" {
		t.Errorf("Run() = %q, %v", redirect.Code(), err)
	}
	if got, want := statuses(b), []int{200}; !slices.Equal(got, want) {
		t.Errorf("statuses %v, want %v", got, want)
	}
}

// A program can be held in its token request until the browser is at its end.
func TestBrowserComesLateToAProgram(t *testing.T) {
	b := &loopbacktest.Browser{Late: true}
	s := prepare(t, &loopbacktest.ServerOptions{Token: func(map[string]any) { b.Pages() }})
	redirect, err := s.run(t, b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.config.Exchange(t.Context(), redirect.Code(), oauth2.VerifierOption(s.verifier)); err != nil {
		t.Fatal(err)
	}
	s.receiver.Close()
	if got, want := statuses(b), []int{303, 200, 410}; !slices.Equal(got, want) {
		t.Errorf("statuses %v, want %v", got, want)
	}
}

func TestServerChangesAnswers(t *testing.T) {
	s := prepare(t, &loopbacktest.ServerOptions{
		Redirect: func(q url.Values) { q.Set("iss", "https://other.example") },
		Token:    func(a map[string]any) { a["scope"] = "narrower" },
	})
	redirect, err := s.run(t, &loopbacktest.Browser{})
	if err != nil {
		t.Fatal(err)
	}
	if iss, _ := redirect.Iss(); iss != "https://other.example" {
		t.Errorf("issuer %q", iss)
	}
	token, err := s.config.Exchange(t.Context(), redirect.Code(), oauth2.VerifierOption(s.verifier))
	if err != nil || token.Extra("scope") != "narrower" {
		t.Errorf("Exchange() = %v, %v", token, err)
	}
}

// The server is strict, or a program that forgets something would not notice.
func TestServerRefuses(t *testing.T) {
	for _, tt := range []struct {
		name     string
		verifier string
		redirect string
		twice    bool
	}{
		{name: "another verifier", verifier: oauth2.GenerateVerifier()},
		{name: "another redirect URI", redirect: "http://127.0.0.1:1/callback"},
		{name: "a code a second time", twice: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := prepare(t, nil)
			redirect, err := s.run(t, &loopbacktest.Browser{})
			if err != nil {
				t.Fatal(err)
			}
			if tt.twice {
				if _, err := s.config.Exchange(t.Context(), redirect.Code(), oauth2.VerifierOption(s.verifier)); err != nil {
					t.Fatal(err)
				}
			}
			if tt.redirect != "" {
				s.config.RedirectURL = tt.redirect
			}
			if tt.verifier != "" {
				s.verifier = tt.verifier
			}
			_, err = s.config.Exchange(t.Context(), redirect.Code(), oauth2.VerifierOption(s.verifier))
			if e, ok := errors.AsType[*oauth2.RetrieveError](err); !ok || e.ErrorCode != "invalid_grant" {
				t.Errorf("error %v, want invalid_grant", err)
			}
		})
	}
	t.Run("no PKCE", func(t *testing.T) {
		s := prepare(t, nil)
		resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get(s.config.AuthCodeURL(state))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusBadRequest {
			t.Errorf("status %d, want 400", resp.StatusCode)
		}
	})
}

func TestBrowserWithoutAURL(t *testing.T) {
	b := &loopbacktest.Browser{}
	if err := b.Open(t.Context(), oauthloopback.StartURL{}); err == nil {
		t.Error("Open of no URL succeeds")
	}
	if err := b.Visit(t.Context(), oauthloopback.AuthURL{}); err == nil {
		t.Error("Visit of no URL succeeds")
	}
}
