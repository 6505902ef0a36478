package signin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A person has a machine with a browser, a directory for what the bridge keeps, and a port
// for the redirect.
type person struct {
	t       *testing.T
	peer    *peer
	bridge  string
	url     string // of the server
	home    string
	port    int
	visitor visitor
	env     []string // more, of the bridge
}

// vaultKey seals what the bridge keeps.
const vaultKey = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

func newPerson(t *testing.T, p *peer) *person {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no program takes the place of the browser on Windows")
	}
	who := &person{t: t, peer: p, url: p.URL, bridge: bridge(t), home: t.TempDir(), port: freePort(t)}
	who.visitor = visitor{Authority: p.root, Record: filepath.Join(who.home, "visits"), User: "user"}
	who.uses(who.visitor)
	t.Cleanup(func() { waitGone(t, who.visitor.Record+runs+"*") })
	return who
}

// waitGone waits until no file fits the pattern.
func waitGone(t *testing.T, pattern string) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if files, _ := filepath.Glob(pattern); len(files) == 0 {
			return
		}
	}
	t.Error("a browser does not end")
}

// uses has the person take another browser.
func (p *person) uses(v visitor) {
	p.t.Helper()
	p.visitor = v
	text, err := json.Marshal(v)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.configuration(), text, 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func (p *person) configuration() string { return filepath.Join(p.home, "visitor.json") }

// command is the bridge, with options behind those that it always has here, and with the
// server at the end.
func (p *person) command(options ...string) *exec.Cmd {
	p.t.Helper()
	args := []string{"--ca-file", p.peer.root, "--redirect-port", strconv.Itoa(p.port), "--token-store", "file"}
	return p.plainCommand(append(append(args, options...), p.url)...)
}

// plainCommand is the bridge with these arguments.
func (p *person) plainCommand(args ...string) *exec.Cmd {
	p.t.Helper()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.CommandContext(p.t.Context(), p.bridge, args...)
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "XDG_STATE_HOME=" + filepath.Join(p.home, "state"), "MCP_BRIDGE_TOKEN_KEY=" + vaultKey,
		"BROWSER=" + self, visitorVariable + "=" + p.configuration(), "GORACE=atexit_sleep_ms=0 halt_on_error=1",
	}, p.env...)
	return cmd
}

// start starts a bridge.
func (p *person) start(options ...string) *front {
	p.t.Helper()
	return begin(p.t, p.command(options...))
}

// run runs a command of the bridge that ends by itself, such as logout.
func (p *person) run(args ...string) (output string) {
	p.t.Helper()
	cmd := p.plainCommand(args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		p.t.Errorf("%s: %v: %s", args[0], err, errs.String())
	}
	return string(out) + errs.String()
}

// opened wants the browser to have been started this often, each time with nothing but a
// start URL. It waits until the browser has seen everything.
func (p *person) opened(times int) []visit {
	p.t.Helper()
	var visits []visit
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		var err error
		if visits, err = p.visitor.recorded(); err != nil {
			p.t.Fatal(err)
		}
		if len(visits) >= times || time.Now().After(end) {
			break
		}
	}
	if len(visits) != times {
		p.t.Errorf("the browser was opened %d times, want %d", len(visits), times)
	}
	for _, v := range visits {
		if len(v.Args) != 1 || !strings.HasPrefix(v.Args[0], fmt.Sprintf("http://127.0.0.1:%d/start/", p.port)) {
			p.t.Errorf("the browser was started with %q, want a start URL", v.Args)
		}
	}
	return visits
}

// Ports for redirects. None is of those that systems give to connections, so what is free
// stays so until a bridge listens.
const (
	firstPort = 20000
	ports     = 10000
)

var lastPort atomic.Int64

// freePort returns a port that no other test gets.
func freePort(t *testing.T) int {
	t.Helper()
	for range ports {
		port := firstPort + (os.Getpid()*37+int(lastPort.Add(1)))%ports
		if l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

// refreshFloor is how old the answer to a request for a token has to be before a bridge
// asks for the next one.
const refreshFloor = 10 * time.Second

// outlive waits until what was granted before now may be refreshed.
func outlive(t *testing.T) {
	t.Helper()
	select {
	case <-time.After(refreshFloor + time.Second):
	case <-t.Context().Done():
	}
}

// visits has the person go to an address by hand.
func (p *person) visits(address string) {
	p.t.Helper()
	if _, err := p.visitor.visit(p.t.Context(), address); err != nil {
		p.t.Error(err)
	}
}
