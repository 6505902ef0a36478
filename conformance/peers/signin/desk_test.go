package signin

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
	"github.com/trestle-mcp/trestle/oauthloopback"
)

// patience bounds waits for the browser and the server.
const patience = 2 * time.Minute

// A browser is a Chromium that a program in BROWSER has started. It does what the test
// tells it to.
type browser struct {
	t      *testing.T
	work   string // its profile, and the log of its net
	script string // the program for BROWSER
	l      *net.TCPListener
	c      *net.TCPConn
	lines  *bufio.Scanner
}

// node returns the program that runs the scripts.
func node(t *testing.T) string {
	t.Helper()
	peers, err := filepath.Abs("..") // what is started is not started here
	if err != nil {
		t.Fatal(err)
	}
	path, err := run.FindNode(t.Context(), peers)
	if err == nil {
		_, err = os.Stat(filepath.Join(peers, "node_modules", "playwright-core"))
	}
	if err != nil {
		skipWithout(t, "node", run.ErrAbsent)
	}
	return path
}

// skipWithout ends the test for want of a thing, which TRESTLE_EXPECT may name.
func skipWithout(t *testing.T, thing string, why error) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv("TRESTLE_EXPECT"), ","), thing) {
		t.Fatal(why)
	}
	t.Skip(why)
}

// newBrowser prepares one that trusts a certificate authority by its key.
func newBrowser(t *testing.T, trust string) *browser {
	t.Helper()
	node := node(t)
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		skipWithout(t, "chromium", err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	driver, err := filepath.Abs("browser.mjs")
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, work: t.TempDir(), l: l.(*net.TCPListener)}
	configuration := filepath.Join(b.work, "configuration.json")
	text, err := json.Marshal(map[string]any{"chromium": chromium, "work": b.work, "trust": trust, "desk": l.Addr().(*net.TCPAddr).Port})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(configuration, text, 0o600); err != nil {
		t.Fatal(err)
	}
	b.script = filepath.Join(b.work, "browser")
	// BROWSER names a program and cannot hold arguments, so this adds them.
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' '%s' '%s' \"$@\" 2>'%s'\n", node, driver, configuration, filepath.Join(b.work, "errors"))
	if err := os.WriteFile(b.script, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return b
}

// opener starts the browser as a program would.
func (b *browser) opener() oauthloopback.SystemOpener {
	return oauthloopback.SystemOpener{Browser: b.script, Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.work}}
}

// meet waits until the browser is there.
func (b *browser) meet() {
	b.t.Helper()
	b.l.SetDeadline(time.Now().Add(patience))
	c, err := b.l.AcceptTCP()
	if err != nil {
		text, _ := os.ReadFile(filepath.Join(b.work, "errors"))
		b.t.Fatalf("%v\n%s", err, text)
	}
	b.c, b.lines = c, bufio.NewScanner(c)
	b.lines.Buffer(nil, 1<<20)
	b.t.Cleanup(b.end)
}

type arguments map[string]any

// do has the browser do something, and returns what came of it and what the page then
// shows.
func (b *browser) do(action string, args arguments) (value int, text string) {
	b.t.Helper()
	line := arguments{"action": action}
	maps.Copy(line, args)
	b.c.SetDeadline(time.Now().Add(patience))
	if err := json.NewEncoder(b.c).Encode(line); err != nil {
		b.t.Fatal(err)
	}
	if !b.lines.Scan() {
		b.t.Fatalf("%s: the browser is gone: %v", action, b.lines.Err())
	}
	var answer struct {
		Value       any
		Text, Error string
	}
	if err := json.Unmarshal(b.lines.Bytes(), &answer); err != nil {
		b.t.Fatal(err)
	}
	if answer.Error != "" {
		b.t.Fatalf("%s %v: %s", action, args, answer.Error)
	}
	number, _ := answer.Value.(float64)
	return int(number), answer.Text
}

// end hangs up and waits until the browser has ended.
func (b *browser) end() {
	b.c.CloseWrite()
	b.c.SetDeadline(time.Now().Add(patience))
	io.Copy(io.Discard, b.c)
	b.c.Close()
}

// close ends the browser and returns what its net has done.
func (b *browser) close() netLog {
	b.t.Helper()
	b.end()
	return readNetLog(b.t, filepath.Join(b.work, "net.json"))
}

// A netLog is what a browser has asked for and where it has connected to.
type netLog struct {
	addresses []string // of connections that were begun
	urls      []string // without query
}

func readNetLog(t *testing.T, file string) netLog {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Constants struct {
			LogEventTypes map[string]int
		}
		Events []struct {
			Type   int
			Params struct{ Address, URL string }
		}
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var out netLog
	for _, e := range log.Events {
		switch e.Type {
		case log.Constants.LogEventTypes["TCP_CONNECT_ATTEMPT"]:
			if e.Params.Address != "" {
				out.addresses = append(out.addresses, e.Params.Address)
			}
		case log.Constants.LogEventTypes["URL_REQUEST_START_JOB"]:
			if e.Params.URL != "" {
				url, _, _ := strings.Cut(e.Params.URL, "?")
				out.urls = append(out.urls, url)
			}
		}
	}
	return out
}

// to counts the connections to an address and returns the paths that it was asked for.
func (l netLog) to(host string) (connections int, paths []string) {
	for _, a := range l.addresses {
		if a == host {
			connections++
		}
	}
	for _, u := range l.urls {
		if path, ok := strings.CutPrefix(u, "http://"+host); ok {
			if strings.HasPrefix(path, "/start/") {
				path = "/start/…"
			}
			paths = append(paths, path)
		}
	}
	return connections, paths
}
