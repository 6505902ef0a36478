package streamhttp

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A big message that does not go on loses its place to one that waits, after half a
// minute; one that goes on slowly, or waits for the client, keeps it, and so does any
// while nobody waits.
//
// req: U02
func TestRoomOfStalledMessages(t *testing.T) {
	for _, tt := range []struct {
		name   string
		hold   func(ctx context.Context, p *place)
		others bool
		want   time.Duration // from the start until the one that waits has a place
	}{
		{"nothing comes", func(ctx context.Context, p *place) { p.wait() }, true, stalled},
		{"it goes on slowly", func(ctx context.Context, p *place) {
			for range 10 {
				p.wait()
				time.Sleep(stalled - time.Second)
				p.came()
			}
		}, true, 10 * (stalled - time.Second)},
		{"it waits for the client", func(ctx context.Context, p *place) {
			p.wait()
			p.came()
			time.Sleep(time.Hour)
		}, true, time.Hour},
		{"nobody waits", func(ctx context.Context, p *place) { p.wait() }, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRoom()
				ctx, cancel := context.WithCancel(t.Context())
				for range bigResponses {
					p := &place{room: r, end: cancel}
					if err := p.take(t.Context()); err != nil {
						t.Fatal(err)
					}
					go func() {
						tt.hold(ctx, p)
						if !p.since.IsZero() {
							<-ctx.Done()
						}
						p.leave()
					}()
				}
				synctest.Wait()
				if !tt.others {
					time.Sleep(time.Hour)
					if ctx.Err() != nil {
						t.Error("a message was ended though nobody waits")
					}
					cancel()
					return
				}
				start := time.Now()
				p := &place{room: r, end: cancel}
				long, stop := context.WithTimeout(t.Context(), 2*time.Hour)
				defer stop()
				if err := p.take(long); err != nil {
					cancel()
					t.Fatal(err)
				}
				if got := time.Since(start); got < tt.want || got > tt.want+time.Second {
					t.Errorf("a place after %v, want %v", got, tt.want)
				}
				p.leave()
				cancel()
			})
		})
	}
}
