package matrix

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/internal/tap"
	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// A pair is a running session of a front and an upstream.
type pair struct {
	*front
	up   upstream
	tb   table
	rev  string // that the server speaks
	site *site  // of a server of ours at a URL
}

// A feature is a row of the matrix.
type feature struct {
	name string
	rows []string // of the table, that it is about

	has func(p *pair) bool   // whether the front and the server have it
	row func(p *pair) string // the one of rows that holds for them; the first if nil

	works func(t *testing.T, p *pair)         // what follows unless the row says impossible
	fails func(t *testing.T, p *pair, c cell) // what follows if it does
}

// Every front has every feature with every upstream, and what cannot be is what the table
// says, with the error that stands there.
//
// req: W17
func TestMatrix(t *testing.T) {
	programs, tb := prepared(t), readTable(t)
	for _, rev := range revisions {
		t.Run(rev, func(t *testing.T) {
			for _, up := range upstreams() {
				if !built(rev, up) {
					continue
				}
				t.Run(up.name, func(t *testing.T) {
					t.Parallel()
					if up.scripted == "" {
						needsNode(t, programs, up)
					}
					session(t, programs, tb, rev, up)
				})
			}
		})
	}
}

// needsNode skips a test without the packages of the upstream, unless CI expects them.
func needsNode(t *testing.T, programs programs, up upstream) {
	t.Helper()
	missing := programs.kit == nil
	if !missing {
		for _, file := range up.command(programs, "", "")[1:] {
			_, err := os.Stat(file)
			missing = missing || filepath.IsAbs(file) && err != nil
		}
	}
	switch {
	case !missing:
	case slices.Contains(strings.Split(os.Getenv("TRESTLE_EXPECT"), ","), "node"):
		t.Fatal(run.ErrAbsent)
	default:
		t.Skip(run.ErrAbsent)
	}
}

// session runs the features of one front and one upstream.
func session(t *testing.T, programs programs, tb table, rev string, up upstream) {
	dir := t.TempDir()
	p := &pair{up: up, tb: tb, rev: up.speaks(rev)}
	record := filepath.Join(dir, "upstream.jsonl")
	command := []string{programs.bridge, "--token-store", "memory", "--log-level", "error"}
	command = append(command, up.options...)
	if rev == rev20260728 {
		command = append(command, "--discover", "answer")
	}
	if up.http {
		command = append(command, p.serve(t, programs, dir, record))
	} else {
		command = slices.Delete(command, 1, 3)
		command = append(command, "--", programs.tap, record)
		command = append(command, up.command(programs, dir, "")...)
	}
	p.front = open(t, rev, dir, command...)
	for _, f := range features {
		if !f.has(p) {
			continue
		}
		row := f.rows[0]
		if f.row != nil {
			row = f.row(p)
		}
		c := tb.cell(t, row, rev, p.rev)
		t.Run(f.name, func(t *testing.T) {
			switch {
			case !c.impossible():
				f.works(t, p)
			case f.fails == nil:
				t.Errorf("the table says %q of %q, and no test says what follows", c.text, c.row)
			default:
				f.fails(t, p, c)
			}
		})
	}
	p.end()
	t.Run("frames", func(t *testing.T) { judge(t, programs.kit, p, record) })
}

// serve serves the upstream at a URL behind a proxy that records, and returns that.
func (p *pair) serve(t *testing.T, programs programs, dir, record string) string {
	t.Helper()
	var origin string
	if p.up.scripted != "" {
		p.site = newSite(p.up.scripted)
		server := httptest.NewServer(p.site.handler())
		t.Cleanup(server.Close)
		t.Cleanup(server.CloseClientConnections)
		origin = server.URL
	} else {
		address, end, err := run.Serving(t.Context(), dir, t.Output(), func(port string) []string { return p.up.command(programs, dir, port) })
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(end)
		origin = "http://" + address
	}
	target, err := url.Parse(origin)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(record, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	proxy := tap.NewProxy(target, file, log.New(io.Discard, "", 0))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	front := &http.Server{Handler: proxy, ErrorLog: log.New(io.Discard, "", 0)}
	go front.Serve(listener)
	t.Cleanup(func() {
		front.Shutdown(context.Background())
		proxy.CloseIdleConnections()
	})
	return "http://" + listener.Addr().String() + "/mcp"
}

// built reports whether the bridge has what a cell needs.
func built(front string, up upstream) bool {
	return front != rev20260728
}
