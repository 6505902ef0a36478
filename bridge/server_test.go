package bridge

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// role is the variable that makes the test binary a server: its value says which.
const role = "TRESTLE_BRIDGE_ROLE"

func TestMain(m *testing.M) {
	if r := os.Getenv(role); r != "" {
		os.Exit(play(r))
	}
	goleak.VerifyTestMain(m)
}

// play is what the servers of these tests do.
func play(r string) int {
	switch r {
	case "exit at once":
		return 3
	case "exit at discover":
		fmt.Scanln()
		return 3
	case "close output at discover":
		fmt.Scanln()
		os.Stdout.Close()
		io.Copy(io.Discard, os.Stdin)
		return 0
	case "junk":
		fmt.Scanln() // until initialize came
		for range 1000 {
			fmt.Println("this is no message")
		}
		io.Copy(io.Discard, os.Stdin)
		return 0
	case "replies":
		return reply(os.Getenv(replies))
	case "serve and tell":
		s := &server{out: os.Stdout, tells: true}
		s.serve(os.Stdin)
		fmt.Fprintln(os.Stderr, "end of input")
		return 0
	case "stubborn": // serves, but ends neither with its input nor when it is asked to
		signal.Ignore(syscall.SIGTERM)
		(&server{out: os.Stdout}).serve(os.Stdin)
		time.Sleep(patience)
	}
	(&server{out: os.Stdout}).serve(os.Stdin)
	return 0
}

// A server speaks 2026-07-28. What its tools do is in call.
type server struct {
	out   io.Writer
	tells bool // about notifications, on standard error

	mu   sync.Mutex // guards the fields below
	seen []string   // methods and tools, in the order in which they came
	held []string   // ids of calls that are answered when the input ends
}

func (s *server) serve(in io.Reader) {
	r := jsonrpc.NewReader(in, nil)
	for {
		m, err := r.Read()
		if err != nil {
			break
		}
		s.take(m)
	}
	for _, id := range s.held {
		s.answer(id, text("held"))
	}
}

func (s *server) take(m *jsonrpc.Message) {
	id := string(m.AppendSpan(nil, m.ID))
	method, _ := m.String(m.Method)
	switch method {
	case "server/discover":
		s.saw(method)
		s.answer(id, `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private",`+
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fixture","version":"1"}}`)
	case "tools/call":
		name, arguments := params(m)
		s.saw(name)
		s.call(id, name, arguments)
	default:
		s.saw(method)
		if s.tells {
			fmt.Fprintln(os.Stderr, method)
		}
	}
}

func (s *server) saw(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, what)
}

func (s *server) took() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.seen, " ")
}

// call does what the tool of that name does.
func (s *server) call(id, name, arguments string) {
	switch name {
	case "echo":
		s.answer(id, text(strings.ReplaceAll(arguments, `"`, `'`)))
	case "big":
		s.answer(id, text(strings.Repeat("0123456789", 300_000)))
	case "long": // longer than a pipe holds, shorter than a big line
		s.answer(id, text(strings.Repeat("0123456789", 6_000)))
	case "hold":
		s.held = append(s.held, id)
	case "asks":
		io.WriteString(s.out, `{"jsonrpc":"2.0","id":`+id+`,"result":{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}}}}`+"\n")
	case "exit":
		os.Exit(3)
	case "crash":
		self, _ := os.FindProcess(os.Getpid())
		self.Kill()
	case "deaf": // reads no more, but lives
		os.Stdin.Close()
		s.answer(id, text("deaf"))
		time.Sleep(patience)
	case "noise":
		fmt.Fprintln(os.Stderr, "noise of the server")
		s.answer(id, text("made noise"))
	}
}

func (s *server) answer(id, members string) {
	io.WriteString(s.out, `{"jsonrpc":"2.0","result":{"resultType":"complete",`+members+`},"id":`+id+"}\n")
}

func text(t string) string { return `"content":[{"type":"text","text":"` + t + `"}]` }

// params returns the name and the raw arguments of a call.
func params(m *jsonrpc.Message) (name, arguments string) {
	w := m.Walk(m.Params)
	for w.Next() {
		switch {
		case w.NameIs("name"):
			name, _ = m.String(w.Skip())
		case w.NameIs("arguments"):
			arguments = string(m.AppendSpan(nil, w.Skip()))
		}
	}
	return name, arguments
}

// command returns the upstream that is this test binary in role r.
func command(t testing.TB, r string, stderr io.Writer) Command {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{
		Path:   exe,
		Args:   []string{"secret-argument"},
		Env:    append(os.Environ(), role+"="+r, "GORACE=atexit_sleep_ms=0"),
		Stderr: stderr,
	}
}
