package tokenvault_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// A tokenServer gives out refresh tokens that can be spent once. At the second use
// of one it takes the whole family for stolen.
type tokenServer struct {
	*httptest.Server

	mu      sync.Mutex
	current int // the refresh token that is good
	posts   int
	reused  int
	revoked bool
}

func newTokenServer(t *testing.T) *tokenServer {
	s := &tokenServer{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *tokenServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.posts++
	if r.FormValue("refresh_token") != strconv.Itoa(s.current) {
		s.reused++
		s.revoked = true
	}
	if s.revoked {
		http.Error(w, "invalid_grant", http.StatusBadRequest)
		return
	}
	s.current++
	fmt.Fprint(w, s.current)
}

// counts returns how often the server was asked, and how often with a spent token.
func (s *tokenServer) counts() (posts, reused int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.posts, s.reused
}

const noToken = "signed out"

// spendAt returns a refresh at the token server. What the server refuses clears the
// token.
func spendAt(url string) tokenvault.RefreshFunc {
	return func(ctx context.Context, e tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
		body := strings.NewReader("refresh_token=" + e.Value.Expose())
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
		if err != nil {
			return tokenvault.Secret{}, time.Time{}, err
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return tokenvault.Secret{}, time.Time{}, err
		}
		defer resp.Body.Close()
		token, err := io.ReadAll(resp.Body)
		if resp.StatusCode != http.StatusOK {
			token = []byte(noToken)
		}
		return tokenvault.NewSecret(token), time.Now().Add(time.Minute), err
	}
}

// spend refreshes at each order, with the revision of its last look, as a program does whose
// access token has expired.
func spend(p player) error {
	url := p.args[1]
	e, err := p.vault.Get(p, alice)
	if err != nil {
		return err
	}
	fmt.Println("up")
	for {
		if _, err := p.next(); errors.Is(err, io.EOF) {
			return nil
		}
		if e, _, err = p.vault.Refresh(p, alice, e.Rev, spendAt(url)); err != nil {
			return err
		}
		fmt.Println(e.Value.Expose())
	}
}

const (
	spenders = 12
	rounds   = 50
)

// Twelve processes whose access token has just expired spend the refresh token once,
// and all have the new one, fifty times.
//
// req: V07
func TestThreat26DoubleSpend(t *testing.T) {
	s := newTokenServer(t)
	c := fileConfig(newDir(t))
	put(t, open(t, c), alice, "0")
	all := startAll(t, spenders, "spender", c.Dir, s.URL)
	for _, p := range all {
		p.says()
	}
	for round := 1; round <= times(rounds); round++ {
		for _, p := range all {
			p.order("expired")
		}
		for _, p := range all {
			if got := p.says(); got != strconv.Itoa(round) {
				t.Fatalf("round %d: a process has %q", round, got)
			}
		}
		if posts, reused := s.counts(); posts != round || reused != 0 {
			t.Fatalf("round %d: the server was asked %d times, %d of them with a spent token", round, posts, reused)
		}
	}
	for _, p := range all {
		p.ends()
	}
}

// refreshOnOrder does what it is told with the revision that it saw first: "spend"
// asks the token server, says so, and stores the answer at the next order.
func refreshOnOrder(p player) error {
	e, err := p.vault.Get(p, alice)
	if err != nil {
		return err
	}
	for {
		if _, err := p.next(); errors.Is(err, io.EOF) {
			return nil
		}
		_, _, err := p.vault.Refresh(p, alice, e.Rev, func(ctx context.Context, e tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
			token, expires, err := spendAt(p.args[0])(ctx, e)
			fmt.Println("spent")
			if _, err := p.next(); err != nil {
				return tokenvault.Secret{}, time.Time{}, err
			}
			return token, expires, err
		})
		switch {
		case err == nil:
			fmt.Println("stored")
		case errors.Is(err, tokenvault.ErrNotFound):
			fmt.Println("not found")
		case errors.Is(err, tokenvault.ErrBusy):
			fmt.Println("busy")
		default:
			return err
		}
	}
}

// refresher starts a process that has spent the token, and has not stored the answer.
func refresher(t *testing.T, c tokenvault.Config, s *tokenServer) *process {
	t.Helper()
	p := startProcess(t, "refresher", c.Dir, s.URL)
	p.order("begin")
	p.order("spend")
	if got := p.says(); got != "spent" {
		t.Fatalf("it says %q", got)
	}
	return p
}

// A crash between the answer of the server and the storing leaves the old record
// whole. The next refresh is refused once, and its value clears the token: who comes
// later asks the user, and not the server.
func TestThreat28CrashAfterSpending(t *testing.T) {
	s := newTokenServer(t)
	c := fileConfig(newDir(t))
	v := open(t, c)
	rev := put(t, v, alice, "0")
	refresher(t, c, s).kill()

	e := get(t, v, alice)
	if e.Rev != rev || e.Value.Expose() != "0" {
		t.Errorf("after the crash the record is %q, want the old one", e.Value.Expose())
	}
	other := open(t, c)
	for i, v := range []*tokenvault.Vault{v, other, v} {
		e, adopted, err := v.Refresh(patient(t), alice, rev, spendAt(s.URL))
		if err != nil || e.Value.Expose() != noToken || adopted != (i > 0) {
			t.Errorf("refresh %d: %q, adopted %v, %v; want the cleared token", i, e.Value.Expose(), adopted, err)
		}
	}
	if posts, reused := s.counts(); posts != 2 || reused != 1 {
		t.Errorf("the server was asked %d times, %d of them with a spent token; want 2 and 1", posts, reused)
	}
}

// Who signs out while another process refreshes waits for it, and then is signed
// out; what the other process knows does not bring the record back.
func TestThreat29SignOutDuringARefresh(t *testing.T) {
	s := newTokenServer(t)
	c := fileConfig(newDir(t))
	v := open(t, c)
	put(t, v, alice, "0")
	p := refresher(t, c, s)
	deleted := make(chan error, 1)
	go func() { deleted <- v.Delete(patient(t), alice, tokenvault.Always) }()
	p.order("store")
	if got := p.says(); got != "stored" {
		t.Errorf("the refresh says %q", got)
	}
	if err := <-deleted; err != nil {
		t.Errorf("Delete: %v", err)
	}
	p.order("spend")
	if got := p.says(); got != "not found" {
		t.Errorf("a refresh of what is gone says %q", got)
	}
	p.ends()
	if _, err := v.Get(t.Context(), alice); !errors.Is(err, tokenvault.ErrNotFound) {
		t.Errorf("Get: %v, want ErrNotFound", err)
	}
	if posts, _ := s.counts(); posts != 1 {
		t.Errorf("the server was asked %d times, want once", posts)
	}
	if n := len(recordsIn(t, v.Status().Dir)); n != 0 {
		t.Errorf("%d records are left", n)
	}
}
