package child

import (
	"os"
	"time"
)

// look is how often Stop looks whether the processes of a child have ended.
const look = 10 * time.Millisecond

// Stop ends the child and its process group: after grace they are asked to, after
// twice grace they are made to. CloseInput must have been called, or be on its way:
// a server ends when its input does. Stop returns when none of them is left; Read
// then ends after what they wrote.
func (p *Process) Stop(grace time.Duration) {
	if !p.endsWithin(grace) {
		select {
		case <-p.exited: // others of its group are left
		default:
			p.forced = true
		}
		p.tree.terminate()
		if !p.endsWithin(grace) {
			p.tree.kill()
			<-p.exited
		}
	}
	p.release()
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

// endsWithin reports whether the child and its group have ended within d.
func (p *Process) endsWithin(d time.Duration) bool {
	limit := time.NewTimer(d)
	defer limit.Stop()
	select {
	case <-p.exited:
	case <-limit.C:
		return false
	}
	// The group tells nobody about its end.
	tick := time.NewTicker(look)
	defer tick.Stop()
	for p.tree.alive() {
		select {
		case <-tick.C:
		case <-limit.C:
			return false
		}
	}
	return true
}

// lastLook is how long standard error may stay open after the child and its group
// have ended, before it is given up; lastWrite is how long the writer of its lines
// may then take.
const (
	lastLook  = 500 * time.Millisecond
	lastWrite = 100 * time.Millisecond
)

// Close gives everything back and returns when the goroutines of the process have
// ended, except one that is in a Write of Spec.Stderr which does not return. Stop
// must have returned, and nobody may be in Read.
func (p *Process) Close() {
	<-p.waited
	if !within(p.logged, lastLook) {
		interrupt(p.stderr) // someone outside the group holds it open
		within(p.logged, lastWrite)
	}
	p.closePipes()
}

// within reports whether done is closed within d.
func within(done <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}

// interrupt makes a blocked Read of the pipe f return, and every later one.
func interrupt(f *os.File) {
	if f.SetReadDeadline(time.Now()) != nil {
		f.Close()
	}
}
