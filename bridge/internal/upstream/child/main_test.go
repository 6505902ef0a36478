package child

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// role is the variable that makes the test binary a child: its value says which.
const role = "TRESTLE_CHILD_ROLE"

// patience bounds waits for real processes; nothing takes that long.
const patience = 30 * time.Second

func TestMain(m *testing.M) {
	if r := os.Getenv(role); r != "" {
		os.Exit(play(r))
	}
	goleak.VerifyTestMain(m)
}

// systemRoles are roles that not every system has.
var systemRoles = map[string]func(){}

const message = `{"jsonrpc":"2.0","method":"notifications/%s"}` + "\n"

// play is what the children of these tests do.
func play(r string) int {
	switch r {
	case "echo": // until the end of input
		io.Copy(os.Stdout, os.Stdin)
	case "arguments":
		for _, a := range os.Args[1:] {
			fmt.Fprintf(os.Stderr, "%s\n", a)
		}
	case "exit 3":
		return 3
	case "answer and exit": // with more in the pipe than one read takes
		for i := range pipeful {
			fmt.Printf(message, strconv.Itoa(i))
		}
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		fmt.Printf(message, "up")
		time.Sleep(patience)
	case "polite": // ignores the end of input, ends at SIGTERM
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		fmt.Printf(message, "up")
		<-c
		fmt.Printf(message, "asked")
		return 7
	case "leave a grandchild": // that holds the output open
		grandchild("sleep")
	case "leave a grandchild outside": // at the end of input
		grandchild("sleep outside")
		io.Copy(io.Discard, os.Stdin)
	case "launch and wait": // as npx does
		grandchild("sleep")
		io.Copy(io.Discard, os.Stdin)
	case "launch one that is polite": // as npx does, but ignores what it is asked
		signal.Ignore(syscall.SIGTERM)
		grandchild("polite").Wait()
	case "launch one that is stubborn":
		signal.Ignore(syscall.SIGTERM)
		grandchild("sleep").Wait()
	case "fork twice": // as a program does that becomes a daemon
		grandchild("fork once").Wait()
	case "fork once":
		grandchild("sleep outside")
	case "sleep", "sleep outside":
		fmt.Printf(message, strconv.Itoa(os.Getpid()))
		time.Sleep(10 * patience) // longer than any test waits for its end
	case "flood of standard error": // 10 MiB, before and after the first message
		line := []byte(strings.Repeat("x", 1023) + "\n")
		for i := range 10 << 10 {
			if i == 5<<10 {
				fmt.Printf(message, "up")
			}
			os.Stderr.Write(line)
		}
		fmt.Printf(message, "done")
		io.Copy(io.Discard, os.Stdin)
	case "stderr":
		io.Copy(os.Stderr, os.Stdin)
	default:
		systemRoles[r]()
	}
	return 0
}

// grandchild starts this binary in another role.
func grandchild(r string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"="+r)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = grandchildAttributes(r)
	cmd.Stdout = os.Stdout
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd
}

// env is the environment of a child in role r.
func env(r string) []string {
	return append(os.Environ(), role+"="+r, "GORACE=atexit_sleep_ms=0")
}

func start(f func()) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return done
}

// run starts the test binary in role r.
func run(t *testing.T, r string, stderr io.Writer, args ...string) *Process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Start(Spec{
		Path: exe, Args: args, Env: env(r), Stderr: stderr, Tag: "tag",
		Lines: &jsonrpc.ReaderOptions{MaxLine: 1 << 20, MaxDepth: 500}, Grace: 300 * time.Millisecond, Go: start,
	})
	if err != nil {
		t.Fatalf("start %s: %v", r, err)
	}
	return p
}

// next returns the method of the next message, or the error of Read as a text.
func next(p *Process) string {
	m, err := p.Read()
	if err != nil {
		return err.Error()
	}
	s, _ := m.String(m.Method)
	return strings.TrimPrefix(s, "notifications/")
}

// finish stops p as a session does.
func finish(t *testing.T, p *Process, grace time.Duration) {
	t.Helper()
	p.CloseInput()
	done := start(func() {
		p.Stop(grace)
		p.Close()
	})
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("the process does not stop")
	}
}
