package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/creachadair/jrpc2/handler"
	"github.com/trestle-mcp/trestle/jsonrpc"
	lsp "go.lsp.dev/jsonrpc2"
)

var (
	params = json.RawMessage(`{"name":"echo","arguments":{"blob":"` + strings.Repeat("y", 240) + `"}}`)
	answer = json.RawMessage(`{"content":[{"type":"text","text":"` + strings.Repeat("z", 60) + `"}]}`)
)

// A peer is a client with a server behind two pipes.
type peer struct {
	name string
	call func(ctx context.Context) error
	stop func()
}

// ends returns the ends of two pipes.
func ends() (a, b stream) {
	ar, bw, err := os.Pipe()
	if err != nil {
		log.Fatal(err)
	}
	br, aw, err := os.Pipe()
	if err != nil {
		log.Fatal(err)
	}
	return stream{ar, aw}, stream{br, bw}
}

type stream struct {
	io.ReadCloser
	w io.WriteCloser
}

func (s stream) Write(b []byte) (int, error) { return s.w.Write(b) }

func (s stream) Close() error {
	s.w.Close()
	return s.ReadCloser.Close()
}

func ourPeer() peer {
	a, b := ends()
	client := jsonrpc.NewConn(a, a, nil)
	server := jsonrpc.NewConn(b, b, &jsonrpc.ConnOptions{
		OnRequest: func(context.Context, string, []byte) ([]byte, error) { return answer, nil },
	})
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { client.Run(ctx) })
	wg.Go(func() { server.Run(ctx) })
	return peer{"ours", func(ctx context.Context) error {
		_, err := client.Call(ctx, "tools/call", params)
		return err
	}, func() { cancel(); wg.Wait() }}
}

func lspPeer() peer {
	a, b := ends()
	client, server := lsp.NewConn(lsp.NewNDJSONStream(a)), lsp.NewConn(lsp.NewNDJSONStream(b))
	client.Go(context.Background(), lsp.MethodNotFoundHandler)
	server.Go(context.Background(), func(context.Context, *lsp.Request) (any, error) { return lsp.RawMessage(answer), nil })
	return peer{"go.lsp.dev/jsonrpc2", func(ctx context.Context) error {
		var result lsp.RawMessage
		_, err := client.Call(ctx, "tools/call", lsp.RawMessage(params), &result)
		return err
	}, func() {
		client.Close()
		server.Close()
	}}
}

func jrpc2Peer() peer {
	a, b := ends()
	server := jrpc2.NewServer(handler.Map{
		"tools/call": func(context.Context, *jrpc2.Request) (any, error) { return answer, nil },
	}, &jrpc2.ServerOptions{Concurrency: 64}).Start(channel.Line(b, b))
	client := jrpc2.NewClient(channel.Line(a, a), nil)
	return peer{"creachadair/jrpc2", func(ctx context.Context) error {
		_, err := client.Call(ctx, "tools/call", params)
		return err
	}, func() {
		client.Close()
		server.Stop()
	}}
}

// loads are how the peers are asked: with so many calls in flight, so many in a turn,
// so many turns. One call at a time is what the rest of the machine disturbs most, so
// its turns are short and many.
var loads = []struct{ flight, calls, turns int }{{1, 640, 150}, {64, 6400, 20}}

// calls compares a call over a pipe, both ends in this process, in turns. The least
// time of each counts, as in compare.
func calls() bool {
	peers := []peer{ourPeer(), lspPeer(), jrpc2Peer()}
	held := true
	for _, l := range loads {
		least := []float64{math.Inf(1), math.Inf(1), math.Inf(1)}
		allocs := make([]float64, len(peers))
		for range l.turns {
			for i, p := range peers {
				ns, n := p.measure(l.flight, l.calls)
				least[i], allocs[i] = min(least[i], ns), n
			}
		}
		for i, p := range peers {
			text := fmt.Sprintf("%2d in flight: %-20s %8s, %.1f allocations a call", l.flight, p.name, short(least[i]), allocs[i])
			if i == 0 {
				note("%s", text)
				continue
			}
			ratio := least[0] / least[i]
			why := cpuProfile(func() { peers[0].measure(l.flight, l.calls) })
			held = target(ratio <= 1 && allocs[0] < allocs[i], why, "%s; ours takes %.2f of the time", text, ratio) && held
		}
	}
	for _, p := range peers {
		p.stop()
	}
	return held
}

// measure returns the time and the allocations of a call, with some in flight.
func (p peer) measure(flight, calls int) (ns, allocs float64) {
	ctx := context.Background()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	var wg sync.WaitGroup
	for range flight {
		wg.Go(func() {
			for range calls / flight {
				if err := p.call(ctx); err != nil {
					log.Fatal(p.name, ": ", err)
				}
			}
		})
	}
	wg.Wait()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	return float64(took.Nanoseconds()) / float64(calls), float64(after.Mallocs-before.Mallocs) / float64(calls)
}
