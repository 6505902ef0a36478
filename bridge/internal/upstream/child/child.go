// Package child runs a server as a child process: start without a shell, pipes, the
// stop of the whole process group, exit status, standard error.
package child

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// maxDepth is the nesting that a line of the server may have.
const maxDepth = 512 // levels

// A Spec says what to start.
type Spec struct {
	Path   string
	Args   []string
	Env    []string  // if nil, that of this process
	Stderr io.Writer // if nil, what the child writes there is dropped

	MaxLine int           // bytes of one line of the child's output
	Grace   time.Duration // how long output may stay open after the exit

	// Go starts a goroutine and returns a channel that is closed when it ends.
	Go func(f func()) <-chan struct{}
}

// A Process is a child that was started. Its standard output is read by Read.
type Process struct {
	*jsonrpc.Reader
	spec   Spec
	cmd    *exec.Cmd
	tree   tree     // the processes that end with the child
	stdin  *os.File // our end of the pipe
	stdout *os.File // our end of the pipe
	stderr *os.File // our end of the pipe

	exited chan struct{} // closed when the child has exited; then exit is set
	exit   Exit
	over   chan struct{} // closed by Over
	done   sync.Once
	waited <-chan struct{} // closed when the waiter has ended
	logged <-chan struct{} // closed when standard error has ended
}

// Start starts the child. The error is a [*StartError].
func Start(spec Spec) (*Process, error) {
	p := &Process{spec: spec, exited: make(chan struct{}), over: make(chan struct{})}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	started := make(chan error, 1)
	p.waited = spec.Go(func() { p.run(started) })
	if err := <-started; err != nil {
		<-p.waited
		p.closePipes()
		return nil, startError(err)
	}
	p.logged = spec.Go(func() { passLines(spec.Stderr, p.stderr) })
	p.Reader = jsonrpc.NewReader(p.stdout, &jsonrpc.ReaderOptions{
		MaxLine:             spec.MaxLine,
		MaxDepth:            maxDepth,
		Members:             mcpwire.Members(),
		AllowLoneSurrogates: true,
	})
	return p, nil
}

// prepare makes the command and its pipes.
func (p *Process) prepare() error {
	cmd := exec.Command(p.spec.Path, p.spec.Args...)
	if cmd.Err != nil {
		return startError(cmd.Err)
	}
	if isBatch(cmd.Path) {
		return &StartError{Reason: Batch}
	}
	cmd.Env = p.spec.Env
	cmd.SysProcAttr = attributes()
	p.cmd = cmd

	var in, out, errs *os.File // the child's ends
	var err error
	if in, p.stdin, err = os.Pipe(); err == nil {
		if p.stdout, out, err = os.Pipe(); err == nil {
			p.stderr, errs, err = os.Pipe()
		}
	}
	// Files, not writers: then Wait waits for the process alone and leaves the
	// pipes to those who read them.
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
	if err != nil {
		p.closeChildEnds()
		p.closePipes()
		return startError(err)
	}
	return nil
}

// run starts the child and waits for its end. It owns its thread for that time:
// Linux kills the child when the thread that started it ends.
func (p *Process) run(started chan<- error) {
	runtime.LockOSThread()
	err := p.cmd.Start()
	p.closeChildEnds()
	if err == nil {
		if err = p.tree.adopt(p.cmd.Process); err != nil {
			p.cmd.Process.Kill()
			p.cmd.Wait()
		}
	}
	started <- err
	if err != nil {
		return
	}
	p.cmd.Wait() // its error says what the state says
	p.exit = exitOf(p.cmd.ProcessState)
	close(p.exited)

	// Whoever inherited the output may hold it open; what the child wrote is read
	// by now.
	t := time.NewTimer(p.spec.Grace)
	defer t.Stop()
	select {
	case <-p.over:
	case <-t.C:
		p.Interrupt()
	}
}

func (p *Process) closeChildEnds() {
	for _, end := range []any{p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr} {
		if f, _ := end.(*os.File); f != nil {
			f.Close()
		}
	}
}

func (p *Process) closePipes() {
	for _, f := range []*os.File{p.stdin, p.stdout, p.stderr} {
		if f != nil {
			f.Close()
		}
	}
}

// Input is where lines to the child are written.
func (p *Process) Input() io.Writer { return p.stdin }

// CloseInput closes the child's standard input.
func (p *Process) CloseInput() { p.stdin.Close() }

// Over says that Read has returned an error: the child has ended its output.
func (p *Process) Over() { p.done.Do(func() { close(p.over) }) }

// Interrupt makes a blocked Read return.
func (p *Process) Interrupt() { interrupt(p.stdout) }

// Exited is closed when the child has exited.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Exit says how the child has exited. It may be called when Exited is closed.
func (p *Process) Exit() Exit { return p.exit }
