package bridge

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// serving starts a ServeStdio with serve, and pipes in memory as its client.
func serving(t testing.TB, o ServeOptions, serve Server) *client {
	in, toBridge := io.Pipe()
	fromBridge, out := io.Pipe()
	k := &client{t: t, in: toBridge, out: bufio.NewReader(fromBridge), log: &log{}, done: make(chan error, 1)}
	o.Log = NewLog(k.log, slog.LevelDebug)
	ctx, cancel := context.WithCancel(context.Background())
	k.cancel = cancel
	go func() {
		err := ServeStdio(ctx, in, out, serve, o)
		cancel()
		out.Close()
		k.done <- err
	}()
	return k
}

// serves is a server of these tests as a function.
func (s *server) serves(_ context.Context, in io.ReadCloser, out io.WriteCloser) error {
	s.out = out
	s.serve(in)
	return nil
}

// ask sends a request of 2026-07-28, and gives it the next id.
func (k *client) ask(method, params string) {
	k.t.Helper()
	k.ids++
	k.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, k.ids, method, params))
}

// req: E01
func TestE01OneServerForBothEras(t *testing.T) {
	t.Run("older", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := &server{}
			k := serving(t, ServeOptions{}, s.serves)
			k.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
			k.send("")
			k.send(`{"jsonrpc":"2.0","id":1,"result":{}}`)
			k.open()
			k.call("echo", `{"method":"tools/list"}`)
			if got, want := k.receive(), `{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"{'method':'tools/list'}"}]},"id":1}`; got != want {
				t.Errorf("answer = %s, want %s", got, want)
			}
			k.in.Close()
			k.wantEnd(nil, "")
			if got, want := s.took(), "server/discover echo"; got != want {
				t.Errorf("the server took %q, want %q", got, want)
			}
		})
	})
	t.Run("newer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := &server{}
			k := serving(t, ServeOptions{}, s.serves)
			k.call("echo", `{"method":"initialize"}`)
			if got, want := k.receive(), `{"jsonrpc":"2.0","result":{"resultType":"complete","content":[{"type":"text","text":"{'method':'initialize'}"}]},"id":1}`; got != want {
				t.Errorf("answer = %s, want %s", got, want)
			}
			k.send(`{"jsonrpc":"2.0","method":"x/y"}`)
			synctest.Wait()
			k.in.Close()
			k.wantEnd(nil, "")
			if got, want := s.took(), "echo x/y"; got != want {
				t.Errorf("the server took %q, want %q", got, want)
			}
		})
	})
}

// req: E02
func TestE02FirstLinesHaveTheLimitsOfTheServer(t *testing.T) {
	first := func(more string) string {
		return strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"experimental":{"x":`+more+`}}`, 1)
	}
	nested := func(levels int) string { // in all
		n := levels - 5 // the message, params, capabilities, experimental, x
		return first(`{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`)
	}
	long := func(bytes int) string { return first(`"` + strings.Repeat("x", bytes-len(first(`""`))) + `"`) }
	limits := Limits{Line: 1000, Depth: 10}
	for _, tt := range []struct {
		name, line string
		want       string // in what is written for it; empty for nothing
		older      bool   // an older client can be served behind it
	}{
		{"longest", long(1000), `"serverInfo"`, false},
		{"too long", long(1001), "", true},
		{"deepest", nested(10), `"serverInfo"`, false},
		{"too deep", nested(11), `"cause":"too_deep"`, false},
		{"no JSON", "Last login: today", `"cause":"parse_error"`, false},
		{"no UTF-8", strings.Replace(initialize, "test", "\xff", 1), `"cause":"parse_error"`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := serving(t, ServeOptions{Limits: limits}, (&server{}).serves)
				k.send(tt.line)
				if tt.want != "" {
					if got := k.receive(); !strings.Contains(got, tt.want) {
						t.Errorf("the line was answered by %s, want %s", got, tt.want)
					}
				}
				k.send(strings.Replace(initialize, `"init"`, `"again"`, 1))
				if got := k.receive(); strings.Contains(got, `"serverInfo"`) != tt.older || !strings.Contains(got, `"again"`) {
					t.Errorf("initialize behind it was answered by %s", got)
				}
				k.in.Close()
				k.wantEnd(nil, "")
			})
		})
	}
}

// req: E03
func TestE03FirstDiscover(t *testing.T) {
	for _, tt := range []struct {
		name   string
		refuse bool
		want   string
		took   string
	}{
		{"answered by the server", false, `"supportedVersions":["2026-07-28"]`, "server/discover server/discover echo"},
		{"refused", true, `"error":{"code":-32601,`, "server/discover echo"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{}
				k := serving(t, ServeOptions{RefuseDiscover: tt.refuse}, s.serves)
				k.send(`{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{}}`)
				if got := k.receive(); !strings.Contains(got, tt.want) || !strings.Contains(got, `"id":"d"`) {
					t.Errorf("server/discover gave %s, want %s", got, tt.want)
				}
				k.open()
				k.call("echo", `{}`)
				if got, want := k.receive(), `{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"{}"}]},"id":1}`; got != want {
					t.Errorf("answer = %s, want %s", got, want)
				}
				k.in.Close()
				k.wantEnd(nil, "")
				if got := s.took(); got != tt.took {
					t.Errorf("the server took %q, want %q", got, tt.took)
				}
			})
		})
	}
}

// Whatever the server writes, the client gets messages alone, and no requests.
//
// req: E04
func TestE04OutHoldsMessagesOnly(t *testing.T) {
	noisy := func(_ context.Context, in io.ReadCloser, out io.WriteCloser) error {
		io.WriteString(out, "starting up\n\n[1]\n{\"x\":1}\n"+`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`+"\n"+`{"jsonrpc":"2.0","id":77,"result":{}}`+"\n")
		(&server{out: out}).serve(in)
		return nil
	}
	for name, first := range map[string]string{
		"older": initialize,
		"newer": callLine(9, "echo", `{}`),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := serving(t, ServeOptions{}, noisy)
				synctest.Wait()
				k.send(first)
				if got := k.receive(); !strings.Contains(got, `"result"`) {
					t.Errorf("the first line is %s, want the answer", got)
				}
				k.in.Close()
				k.wantEnd(nil, "")
			})
		})
	}
}

// The server is one of 2026-07-28, whatever it answers: it is never initialized.
//
// req: E04
func TestE04ServerIsNotInitialized(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var took []string
		k := serving(t, ServeOptions{}, func(_ context.Context, in io.ReadCloser, out io.WriteCloser) error {
			for lines := bufio.NewScanner(in); lines.Scan(); {
				took = append(took, lines.Text())
				io.WriteString(out, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`+"\n")
			}
			return nil
		})
		k.send(initialize)
		if got, want := k.receive(), `"cause":"upstream_legacy"`; !strings.Contains(got, want) {
			t.Errorf("initialize gave %s, want %s", got, want)
		}
		k.in.Close()
		k.wantEnd(nil, "")
		if got := strings.Join(took, "\n"); strings.Contains(got, `"initialize"`) {
			t.Errorf("the server took %s", got)
		}
	})
}

// A server that takes no more requests holds up nobody's reading.
//
// req: E05
func TestE05ServerThatReadsNothing(t *testing.T) {
	for name, older := range map[string]bool{"older": true, "newer": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				deaf := func(_ context.Context, in io.ReadCloser, out io.WriteCloser) error {
					if older {
						(&server{out: out}).serve(io.LimitReader(in, 300)) // the opening, and no more
					}
					<-release
					return nil
				}
				o := ServeOptions{}
				o.Limits.InFlight = 3
				k := serving(t, o, deaf)
				if older {
					k.open()
				}
				for range 3 {
					k.call("echo", `{"text":"`+strings.Repeat("x", 50_000)+`"}`)
				}
				begun := time.Now()
				for range 2 {
					k.call("echo", `{}`)
					if got := k.receive(); !strings.Contains(got, `"code":-32603`) || !strings.Contains(got, fmt.Sprintf(`"id":%d`, k.ids)) {
						t.Errorf("answer = %s, want that the server is busy", got)
					}
				}
				if took := time.Since(begun); took != 0 {
					t.Errorf("answered after %v, want at once", took)
				}
				close(release)
				k.in.Close()
				if _, err := k.ended(); err != nil && !errors.Is(err, ErrUpstreamLost) {
					t.Errorf("ServeStdio = %v", err)
				}
			})
		})
	}
}
