package streamhttp

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// A stream that carries comments is ended when it is silent for three times as long as it
// ever was, and not before two minutes; one without comments never is, unless the
// configuration says so.
//
// req: U09
func TestU09Silence(t *testing.T) {
	type heard struct {
		after   time.Duration
		comment bool
	}
	for _, tt := range []struct {
		name  string
		fixed time.Duration
		heard []heard
		want  time.Duration // from the start to the end; zero: it does not come
	}{
		{"nothing comes", 0, nil, 0},
		{"events alone", 0, []heard{{time.Hour, false}, {time.Second, false}}, 0},
		{"comments at short intervals", 0, []heard{{time.Second, true}, {15 * time.Second, true}}, 16*time.Second + 120*time.Second},
		{"comments at long intervals", 0, []heard{{time.Second, true}, {time.Minute, true}}, 61*time.Second + 180*time.Second},
		{"the first comment comes late", 0, []heard{{time.Hour, true}}, time.Hour + 3*time.Hour},
		{"a comment, then events", 0, []heard{{time.Second, true}, {100 * time.Second, false}, {110 * time.Second, false}}, 211*time.Second + 330*time.Second},
		{"comments on the edge", 0, []heard{{time.Second, true}, {119 * time.Second, true}, {356 * time.Second, true}}, 476*time.Second + 3*356*time.Second},
		{"by the configuration", 10 * time.Second, nil, 10 * time.Second},
		{"by the configuration, with events", 10 * time.Second, []heard{{9 * time.Second, false}, {9 * time.Second, true}}, 28 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				var ended time.Duration
				comments := int64(0)
				s := newSilence(tt.fixed, func() int64 { return comments }, func() { ended = time.Since(begun) })
				for _, h := range tt.heard {
					time.Sleep(h.after)
					if h.comment {
						comments++
					}
					if ended != 0 {
						t.Fatalf("ended after %v", ended)
					}
					s.heard()
				}
				time.Sleep(24 * time.Hour)
				synctest.Wait()
				if ended != tt.want {
					t.Errorf("ended after %v, want %v", ended, tt.want)
				}
				s.over()
			})
		})
	}
}

// Only a stream of notifications has a limit of silence: a call may be silent for as long
// as it may take.
//
// req: U09
func TestU09SilenceOfACall(t *testing.T) {
	for method, want := range map[string]bool{"tools/call": false, "server/discover": false, "": false, methodListen: true} {
		x := &exchange{c: &Client{o: Options{Idle: time.Hour}}, headers: mcpwire.Headers{{Name: "Mcp-Method", Value: method}}}
		s := x.silence(&response{}, &jsonrpc.EventReader{})
		if got := s != nil; got != want {
			t.Errorf("a stream of %q has a limit: %t, want %t", method, got, want)
		}
		s.over()
	}
}
