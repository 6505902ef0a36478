package bridge

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/signintest"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// An aged store is one in which an hour has passed since everything was stored.
type aged struct{ tokenvault.Store }

func (a aged) Get(ctx context.Context, id tokenvault.ID) (tokenvault.Entry, error) {
	e, err := a.Store.Get(ctx, id)
	e.SavedAt, e.ExpiresAt = e.SavedAt.Add(-time.Hour), e.ExpiresAt.Add(-time.Hour)
	return e, err
}

// The end of the input does not break off a refresh, whose token is spent: what it gives is
// there for the next session. A server that never answers is not waited for.
//
// req: S22, P02
func TestS22RefreshAndTheEndOfInput(t *testing.T) {
	for _, tt := range []struct {
		name    string
		answers bool
		want    string // the token that is refused next
	}{
		{"answered", true, "Bearer marker-access-2"},
		{"never answered", false, "Bearer marker-access-1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, v := newGuarded(t, nil), newMemory(t)
			r := g.remote(t, v)
			bridged(t, Config{Upstream: r}).open().leaveSite()
			spent, answer := make(chan bool), make(chan bool)
			g.On["/token"] = func(w http.ResponseWriter, r *http.Request) {
				spent <- true
				select {
				case <-answer:
				case <-r.Context().Done():
					return
				}
				asked := g.Asked("/token")
				g.Exchange(w, asked[len(asked)-1])
			}
			r.SignIn.Vault = aged{v}
			k := bridged(t, Config{Upstream: r})
			k.send(initialize)
			<-spent
			k.in.Close()
			for !strings.Contains(k.log.String(), "the input has ended") {
				time.Sleep(time.Millisecond)
			}
			if tt.answers {
				close(answer)
			}
			if _, err := k.ended(); err != nil {
				t.Errorf("Run = %v", err)
			}
			leave(t)

			g.On["/token"] = signintest.Status(http.StatusServiceUnavailable)
			r.SignIn.Vault = v
			k = bridged(t, Config{Upstream: r})
			k.send(initialize)
			k.receive()
			k.leaveSite()
			all := g.Asked("/mcp")
			if got := all[len(all)-1].Header.Get("Authorization"); got != tt.want {
				t.Errorf("the next session has %q, want %q", got, tt.want)
			}
		})
	}
}
