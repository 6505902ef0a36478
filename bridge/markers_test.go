package bridge

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// Nothing that a client, a server or a configuration holds comes out in a line of the
// log or in an error that the bridge makes, whatever happens.
//
// req: P03, P04, P05
func TestMarkersComeOutNowhere(t *testing.T) {
	for _, p := range plantings {
		t.Run(p.name, func(t *testing.T) {
			var stderr log
			c := Config{Profile: mcpwire.VSCode, Upstream: marked(replying(t, &stderr, p.replies))}
			if p.change != nil {
				p.change(t, &c)
			}
			k := bridged(t, c)
			if !p.bare {
				k.send(markedInitialize)
			}
			if !p.bare && len(p.lines) > 0 {
				k.checkMade(k.receive())
			}
			sent, asked := make(chan struct{}), make(chan struct{}, 100)
			go func() {
				defer close(sent)
				for _, line := range p.lines {
					if line == question {
						<-asked
						continue
					}
					io.WriteString(k.in, line+"\n") // the bridge may have ended
				}
			}()
			for got := 0; got < p.answers; {
				line := k.receive()
				if line == "" {
					t.Fatalf("%d answers, want %d\nlog: %s", got, p.answers, k.log)
				}
				k.checkMade(line)
				if strings.Contains(line, `"id":"b-`) {
					asked <- struct{}{}
				}
				if strings.Contains(line, `"result"`) || strings.Contains(line, `"error"`) {
					got++
				}
			}
			if !p.lost {
				<-sent
				k.in.Close()
			}
			rest, err := k.ended()
			for _, line := range rest {
				k.checkMade(line)
			}
			if err != nil && strings.Contains(err.Error(), marker) || p.lost != (err == ErrUpstreamLost) {
				t.Errorf("Run = %v, want the loss of the server: %v", err, p.lost)
			}
			if !strings.Contains(k.log.String(), p.log) {
				t.Errorf("log %q does not hold %q", k.log, p.log)
			}
			checkMarkers(t, "log", k.log.String(), "mcp-bridge-vscode: ")
			checkMarkers(t, "stderr", strings.ReplaceAll(stderr.String(), "m4rk3r-stderr", ""), "mcp-bridge-vscode: [server] ")
		})
	}
}

// replying returns a server that does what replies say.
func replying(t *testing.T, stderr io.Writer, script []string) Command {
	t.Helper()
	text, err := json.Marshal(script)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "replies") // a variable could hold 32 KiB on Windows
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	c := command(t, "replies", stderr)
	c.Env = append(c.Env, replies+"="+file)
	return c
}

// checkMade wants an error that the bridge has made to have the code and the text of
// its cause, and no marker.
func (k *client) checkMade(line string) {
	k.t.Helper()
	var f struct {
		Error struct {
			Code    int
			Message string
			Data    struct{ Cause mcpwire.Cause }
		}
	}
	if json.Unmarshal([]byte(line), &f) != nil || f.Error.Data.Cause == "" {
		return
	}
	c := f.Error.Data.Cause
	if !slices.Contains(mcpwire.Causes(), c) || f.Error.Code != c.Code() || f.Error.Message != c.Text() {
		k.t.Errorf("an error with another code or text than its cause: %s", line)
	}
	checkMarkers(k.t, "an error of the bridge", line, "")
}

// checkMarkers wants no marker in text, in no spelling, and each of its lines to begin
// in one way.
func checkMarkers(t testing.TB, what, text, begin string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.Contains(strings.ToLower(line), marker) || !strings.HasPrefix(line, begin) {
			t.Errorf("%s: %.300q", what, line)
		}
	}
}
