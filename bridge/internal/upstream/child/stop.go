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
// soon returns an error then.
func (p *Process) Stop(grace time.Duration) {
	if !p.endsWithin(grace) {
		p.tree.terminate()
		if !p.endsWithin(grace) {
			p.tree.kill()
			<-p.exited
		}
	}
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
// have ended, before it is given up.
const lastLook = 500 * time.Millisecond

// Close gives everything back and returns when the goroutines of the process have
// ended. Stop must have returned, and Over must have been called.
func (p *Process) Close() {
	<-p.waited
	t := time.NewTimer(lastLook)
	defer t.Stop()
	select {
	case <-p.logged:
	case <-t.C:
		interrupt(p.stderr) // someone outside the group holds it open
		<-p.logged
	}
	p.closePipes()
}

// interrupt makes a blocked Read of the pipe f return, after what is in the pipe
// already was read.
func interrupt(f *os.File) {
	if f.SetReadDeadline(time.Now()) != nil {
		f.Close()
	}
}
