package child

import (
	"os"
	"time"

	"github.com/trestle-mcp/trestle/bridge/internal/halt"
)

// look is how often Stop looks whether the processes of a child have ended.
const look = 10 * time.Millisecond

// Stop ends the child and its process group: after grace they are asked to, after
// twice grace they are made to. CloseInput must have been called, or be on its way:
// a server ends when its input does. Stop returns when none of them is left; Read
// then ends after what they wrote.
func (p *Process) Stop(grace time.Duration) {
	p.forced = end(&p.tree, p.exited, grace, grace)
	p.release()
}

// processes are what ends with a child.
type processes interface {
	terminate() // asks them to end
	kill()
	alive() bool
}

// end waits until the child has exited and no process of the tree is alive: first for
// them to end by themselves, then to do what they are asked. It reports whether the
// child itself had to be asked.
func end(tree processes, exited <-chan struct{}, alone, asked time.Duration) (forced bool) {
	if endsWithin(tree, exited, alone) {
		return false
	}
	select {
	case <-exited: // others of its group are left
	default:
		forced = true
	}
	tree.terminate()
	if !endsWithin(tree, exited, asked) {
		tree.kill()
		<-exited
	}
	return forced
}

// endsWithin reports whether the child and its tree have ended within d.
func endsWithin(tree processes, exited <-chan struct{}, d time.Duration) bool {
	limit := time.NewTimer(d)
	defer limit.Stop()
	select {
	case <-exited:
	case <-limit.C:
		return false
	}
	// The tree tells nobody about its end.
	tick := time.NewTicker(look)
	defer tick.Stop()
	for tree.alive() {
		select {
		case <-tick.C:
		case <-limit.C:
			return false
		}
	}
	return true
}

// Kill ends the child and its group at once. It may be called at any time; once Stop
// has returned it does nothing.
func (p *Process) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.released {
		p.tree.kill()
	}
}

func (p *Process) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.released = true
	p.tree.release()
}

// defaultLastLook is how long standard error may stay open after the child and its group
// have ended, before it is given up; lastWrite is how long the writer of its lines
// may then take.
const (
	defaultLastLook = 500 * time.Millisecond
	lastWrite       = 100 * time.Millisecond
)

// Close gives everything back and returns when the goroutines of the process have
// ended, except one that is in a Write of Spec.Stderr which does not return. Stop
// must have returned, and nobody may be in Read.
func (p *Process) Close() {
	<-p.waited
	if !halt.Within(p.logged, p.lastLook) {
		interrupt(p.stderr) // someone outside the group holds it open
		halt.Within(p.logged, lastWrite)
	}
	p.closePipes()
}

// interrupt makes a blocked Read of the pipe f return, and every later one.
func interrupt(f *os.File) {
	if f.SetReadDeadline(time.Now()) != nil {
		f.Close()
	}
}
