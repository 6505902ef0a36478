package tokenvault_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/trestle-mcp/trestle/tokenvault"
	"github.com/trestle-mcp/trestle/tokenvault/internal/reexec"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(reexec.Role); role != "" {
		if err := play(role, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m, sharedBus...)
}

// sharedBus are the goroutines of the connection to the bus that go-keyring makes
// with its first call and keeps: one for a process, however many vaults there were;
// and the one call that a dialog keeps which nobody answers. Package keychain tests
// that a look leaves none, and that there is one such call.
var sharedBus = []goleak.Option{
	goleak.IgnoreAnyFunction("github.com/godbus/dbus/v5.newConn.func1"),
	goleak.IgnoreAnyFunction("github.com/godbus/dbus/v5.(*Conn).inWorker"),
	goleak.IgnoreAnyFunction("github.com/godbus/dbus/v5.(*signalChannelData).deferredDeliver"),
	goleak.IgnoreAnyFunction("github.com/zalando/go-keyring/secret_service.(*SecretService).handlePrompt"),
}

// times is n, or a tenth of it where processes take long to start and to meet.
func times(n int) int {
	if runtime.GOOS == "windows" {
		return (n + 9) / 10
	}
	return n
}

// A player is what another process of these tests does with the vault, told by lines
// of its input. What it says goes to its output, a line at a time.
type player struct {
	context.Context
	vault *tokenvault.Vault
	args  []string // behind the directory
	orders
}

// orders are the lines that the test writes.
type orders struct{ in *bufio.Reader }

// next waits for the next order; the end of input is an error.
func (o orders) next() (string, error) {
	line, err := o.in.ReadString('\n')
	return strings.TrimSuffix(line, "\n"), err
}

var roles = map[string]func(p player) error{
	"adder":     add,
	"spender":   spend,
	"writer":    writeOn,
	"refresher": refreshOnOrder,
	"newcomer":  meetOthers,
}

// play opens the vault in the directory that is the first argument, at the first
// order, so that many can open it at once.
func play(role string, args []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*reexec.Patience)
	defer cancel()
	o := orders{bufio.NewReader(os.Stdin)}
	if _, err := o.next(); err != nil {
		return err
	}
	v, err := tokenvault.Open(ctx, fileConfig(args[0]))
	if err != nil {
		return err
	}
	err = roles[role](player{ctx, v, args[1:], o})
	return errors.Join(err, v.Close())
}

// A process is one of the others, as the test sees it.
type process struct {
	*exec.Cmd
	t      *testing.T
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// startProcess starts a process, which waits for an order.
func startProcess(t *testing.T, role, dir string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: reexec.Command(t, role, append([]string{dir}, args...)...), t: t}
	in, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.in, p.out, p.Stderr = in, bufio.NewReader(out), &p.stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.ProcessState == nil {
			_ = p.Process.Kill()
			_ = p.Wait()
		}
	})
	return p
}

// startAll starts processes that begin together.
func startAll(t *testing.T, n int, role, dir string, args ...string) []*process {
	t.Helper()
	all := make([]*process, n)
	for i := range all {
		all[i] = startProcess(t, role, dir, append([]string{fmt.Sprint(i)}, args...)...)
	}
	for _, p := range all {
		p.order("begin")
	}
	return all
}

func (p *process) order(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatalf("%v: %s", err, &p.stderr)
	}
}

// says returns the next line that the process says.
func (p *process) says() string {
	p.t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		_ = p.Wait()
		p.t.Fatalf("%v: %s", err, &p.stderr)
	}
	return strings.TrimSuffix(line, "\n")
}

// ends waits for a good end.
func (p *process) ends() {
	p.t.Helper()
	_ = p.in.Close()
	if err := p.Wait(); err != nil {
		p.t.Errorf("%v: %s", err, &p.stderr)
	}
}

// kill ends the process at once.
func (p *process) kill() {
	p.t.Helper()
	if err := p.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	_ = p.Wait()
}

// patient is a context for what has to come to its end.
func patient(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), reexec.Patience)
	t.Cleanup(cancel)
	return ctx
}

func get(t *testing.T, v *tokenvault.Vault, id tokenvault.ID) tokenvault.Entry {
	t.Helper()
	e, err := v.Get(patient(t), id)
	if err != nil {
		t.Fatalf("Get: %v", err)
	}
	return e
}
