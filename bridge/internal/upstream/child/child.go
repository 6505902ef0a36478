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
)

// A Spec says what to start.
type Spec struct {
	Path   string
	Args   []string
	Env    []string  // if nil, that of this process
	Stderr io.Writer // if nil, what the child writes there is dropped

	AllowBatch bool // Path may be a batch file, where there are such files

	Tag string // starts each line to Stderr

	Lines *jsonrpc.ReaderOptions // how the child's output is read
	Grace time.Duration          // how long a read may wait for more after the exit

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
	stdout *output
	stderr *os.File // our end of the pipe

	mu       sync.Mutex // guards the field below, and tree while it is killed or released
	released bool       // the tree is not ours any more

	exited chan struct{} // closed when the child has exited; then exit is set
	exit   Exit
	forced bool            // Stop had to end the child
	waited <-chan struct{} // closed when the waiter has ended
	logged <-chan struct{} // closed when standard error has ended

	lastLook time.Duration // for standard error, at the end
}

// Start starts the child. The error is a [*StartError].
func Start(spec Spec) (*Process, error) {
	p := &Process{spec: spec, exited: make(chan struct{}), lastLook: defaultLastLook}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	started := make(chan error, 1)
	p.waited = spec.Go(func() { p.run(started) })
	if err := <-started; err != nil {
		<-p.waited
		p.closePipes()
		return nil, p.startError(err)
	}
	p.logged = spec.Go(func() { passLines(spec.Stderr, spec.Tag, p.stderr) })
	p.Reader = jsonrpc.NewReader(p.stdout, spec.Lines)
	return p, nil
}

// prepare makes the command and its pipes.
func (p *Process) prepare() error {
	if !canEnd {
		return &StartError{Reason: Other}
	}
	cmd := exec.Command(p.spec.Path, p.spec.Args...)
	p.cmd = cmd
	if cmd.Err != nil {
		return p.startError(cmd.Err)
	}
	path, err := resolve(cmd.Path)
	if err != nil {
		return p.startError(err)
	}
	if batches {
		if err := checkBatch(path, p.spec.Args, p.spec.AllowBatch); err != nil {
			return err
		}
	}
	cmd.Path = path
	cmd.Env = p.spec.Env
	cmd.SysProcAttr = attributes()
	if err := p.openPipes(); err != nil {
		p.closeChildEnds()
		p.closePipes()
		return p.startError(err)
	}
	return nil
}

func (p *Process) openPipes() error {
	var in, out, errs, stdout *os.File
	var err error
	if in, p.stdin, err = os.Pipe(); err == nil {
		if stdout, out, err = os.Pipe(); err == nil {
			p.stderr, errs, err = os.Pipe()
		}
	}
	p.stdout = newOutput(stdout, p.spec.Grace)
	// Files, not writers: then Wait waits for the process alone and leaves the
	// pipes to those who read them.
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = in, out, errs
	return err
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
	p.stdout.exited()
}

func (p *Process) closeChildEnds() {
	for _, end := range []any{p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr} {
		if f, _ := end.(*os.File); f != nil {
			f.Close()
		}
	}
}

func (p *Process) closePipes() {
	for _, f := range []*os.File{p.stdin, p.stdout.file, p.stderr} {
		if f != nil {
			f.Close()
		}
	}
}

// Input is where lines to the child are written.
func (p *Process) Input() io.Writer { return p.stdin }

// CloseInput closes the child's standard input.
func (p *Process) CloseInput() { p.stdin.Close() }

// Interrupt makes a blocked Read return, and every later one once it has given what
// was read from the pipe already.
func (p *Process) Interrupt() { p.stdout.interrupt() }

// Exit says how the child has exited. It may be called when Stop has returned.
func (p *Process) Exit() Exit {
	e := p.exit
	e.Forced = p.forced
	return e
}
