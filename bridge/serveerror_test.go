package bridge

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// What ends a session but its client is an error that says so.
func TestServeStdioErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name   string
		server Server
		want   []error
	}{
		{"returns an error", func(context.Context, io.ReadCloser, io.WriteCloser) error { return broken }, []error{ErrUpstreamLost, broken}},
		{"returns", func(context.Context, io.ReadCloser, io.WriteCloser) error { return nil }, []error{ErrUpstreamLost}},
		{"closes its output", func(_ context.Context, in io.ReadCloser, out io.WriteCloser) error {
			out.Close()
			io.Copy(io.Discard, in)
			return broken
		}, []error{ErrUpstreamLost, broken}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := serving(t, ServeOptions{}, tt.server)
				_, err := k.ended()
				for _, want := range tt.want {
					if !errors.Is(err, want) {
						t.Errorf("ServeStdio = %v, want %v", err, want)
					}
				}
				k.in.Close()
			})
		})
	}
	t.Run("an error after the end of the client is its own business", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			k := serving(t, ServeOptions{}, func(_ context.Context, in io.ReadCloser, _ io.WriteCloser) error {
				io.Copy(io.Discard, in)
				return broken
			})
			k.in.Close()
			k.wantEnd(nil, "")
		})
	})
	for _, tt := range []struct {
		name   string
		in     io.Reader
		server Server
		o      ServeOptions
		want   string
	}{
		{"no server", strings.NewReader(""), nil, ServeOptions{}, "bridge: ServeStdio needs a server"},
		{"no input", nil, (&server{}).serves, ServeOptions{}, "bridge: Stdio needs In and Out"},
		{"bad limits", strings.NewReader(""), (&server{}).serves, ServeOptions{Limits: Limits{Grace: -1}}, "bridge: Limits.Grace is negative"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := ServeStdio(t.Context(), tt.in, io.Discard, tt.server, tt.o); err == nil || err.Error() != tt.want {
				t.Errorf("ServeStdio = %v, want %s", err, tt.want)
			}
		})
	}
}

// What the embedding program passes reaches where it belongs.
func TestServeStdioOptions(t *testing.T) {
	type key struct{}
	var got any
	ctx := context.WithValue(t.Context(), key{}, "value")
	err := ServeStdio(ctx, strings.NewReader(""), io.Discard, func(ctx context.Context, in io.ReadCloser, _ io.WriteCloser) error {
		got = ctx.Value(key{})
		return nil
	}, ServeOptions{})
	if err != nil || got != "value" {
		t.Errorf("ServeStdio = %v with the value %v in the context of the server", err, got)
	}

	lists := func(_ context.Context, in io.ReadCloser, out io.WriteCloser) error {
		lines := bufio.NewScanner(in)
		for n := 1; lines.Scan(); n++ {
			result := `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}`
			if n > 1 {
				result = `"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"array"}}}}]`
			}
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private",%s}}`+"\n", n, result)
		}
		return nil
	}
	k := serving(t, ServeOptions{Profile: mcpwire.VSCode}, lists).open()
	k.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if got, want := k.receive(), `{"type":"array","items":{}}`; !strings.Contains(got, want) {
		t.Errorf("tools/list gave %s, want %s in it", got, want)
	}
	k.in.Close()
	k.wantEnd(nil, "")
}
