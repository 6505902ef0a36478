package session

import (
	"slices"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// timers are the deadlines of a session, with one runtime timer for the earliest.
// The door guards them.
type timers struct {
	list []mcpwire.Timer // earliest first
	next *time.Timer     // runs for the first of list
}

// set starts and stops timers. One that runs is moved.
func (t *timers) set(arm []mcpwire.Timer, disarm []mcpwire.TimerID) {
	if len(arm)+len(disarm) == 0 {
		return
	}
	for _, a := range arm {
		t.remove(a.ID)
		i := len(t.list)
		for i > 0 && a.At.Before(t.list[i-1].At) {
			i--
		}
		t.list = slices.Insert(t.list, i, a)
	}
	for _, id := range disarm {
		t.remove(id)
	}
	t.run()
}

func (t *timers) remove(id mcpwire.TimerID) {
	for i := range t.list {
		if t.list[i].ID == id {
			t.list = slices.Delete(t.list, i, i+1)
			return
		}
	}
}

// run sets the runtime timer to the earliest deadline.
func (t *timers) run() {
	if len(t.list) == 0 {
		t.next.Stop()
		return
	}
	t.next.Reset(time.Until(t.list[0].At))
}

// due removes and returns the first timer whose time has come.
func (t *timers) due(now time.Time) (mcpwire.TimerID, bool) {
	if len(t.list) == 0 || now.Before(t.list[0].At) {
		return mcpwire.TimerID{}, false
	}
	id := t.list[0].ID
	t.list = slices.Delete(t.list, 0, 1)
	return id, true
}

// runTimers tells the protocol state of each timer whose time has come.
func (s *Session) runTimers() {
	e := s.NewEntrant()
	for {
		select {
		case <-s.timers.next.C:
		case <-s.over.c:
			return
		}
		for fired := true; fired; {
			fired = false // unless the door is open
			e.do(func(now time.Time, out *mcpwire.Steps) {
				var id mcpwire.TimerID
				if id, fired = s.timers.due(now); fired {
					s.wire.Fired(now, id, out)
				} else {
					s.timers.run()
				}
			})
		}
		e.Flush(false)
	}
}
