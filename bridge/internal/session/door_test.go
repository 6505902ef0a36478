package session

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

func frame(ex mcpwire.Exchange, text string) mcpwire.Frame {
	return mcpwire.Frame{Exchange: ex, Lit: []byte(text)}
}

// A request that is cancelled in the same steps is taken back; the cancellation of
// one that was written follows, and cannot be taken back itself.
//
// req: W13
func TestCancellationsFollowTheRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.lanes()()
		r.carryOut(&mcpwire.Steps{
			ToUpstream: []mcpwire.Frame{frame(5, "request 5")},
			Cancel:     []mcpwire.Frame{frame(5, "cancel 5"), frame(4, "cancel 4")},
		})
		if r.lined.TakeBack(4) {
			t.Error("a cancellation was taken back")
		}
		r.lined.lane.Flush()
		synctest.Wait()
		if got, want := r.server.lines(), "cancel 4\n"; got != want {
			t.Errorf("toward the server: %q, want %q", got, want)
		}
	})
}

// After a panic inside, nothing goes in any more.
//
// req: P01
func TestDoorIsShutByADefect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.lanes()()
		func() {
			defer func() { recover() }()
			r.NewEntrant().do(func(time.Time, *mcpwire.Steps) { panic("defect") })
		}()
		r.NewEntrant().do(func(time.Time, *mcpwire.Steps) { t.Error("the door is open after a defect") })
	})
}

// A timer that fires then is not asked for again and again.
func TestTimerAfterADefect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.lanes()()
		r.timers.set([]mcpwire.Timer{{ID: mcpwire.TimerID{Kind: mcpwire.TimerDrain}, At: time.Now()}}, nil)
		r.shut = true
		done := start(r.runTimers)
		synctest.Wait() // does not return while it spins
		r.over.send()
		<-done
	})
}

// While more lines wait to be read, little is gathered and much is written.
func TestFlushGathersWhileThereIsMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.lanes()()
		e := r.NewEntrant()
		add := func(n int) {
			text := frame(0, strings.Repeat("x", n-1))
			r.front.Append(&text)
			r.lined.Append(&text)
			e.toFront, e.toUp = true, true
		}
		want := func(more bool, sizes int) {
			t.Helper()
			e.Flush(more)
			synctest.Wait()
			if f, u := len(r.client.lines()), len(r.server.lines()); f != sizes || u != sizes {
				t.Errorf("written: %d and %d bytes, want %d", f, u, sizes)
			}
		}
		add(batch - 1)
		want(true, 0)
		add(1)
		want(true, batch)
		add(100)
		want(true, 0)
		want(false, 100)
	})
}

func TestEndOfTheUpstreamsInputComesAfterWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.lanes()()
		r.server.set(true, false)
		e := r.NewEntrant()
		text := frame(0, "last")
		r.lined.Append(&text)
		e.toUp = true
		e.steps.EndUpstream = true
		e.outside(time.Now())
		synctest.Wait()
		select {
		case <-r.server.inputClosed:
			t.Error("the input is closed before the last line")
		default:
		}
		r.server.set(false, false)
		<-r.server.inputClosed
		<-r.lined.inputEnded
		if got, want := r.server.lines(), "last\n"; got != want {
			t.Errorf("toward the server: %q, want %q", got, want)
		}
	})
}

// waiting puts n bytes into a lane, behind a line that is being written.
func (r *rig) waiting(n int) {
	r.server.set(true, false)
	first, text := frame(0, "first"), frame(0, strings.Repeat("x", n-1))
	r.lined.Append(&first)
	r.lined.lane.Flush()
	synctest.Wait()
	r.lined.Append(&text)
}

// req: U14
func TestBacklogHasALimit(t *testing.T) {
	for _, tt := range []struct {
		name          string
		bytes, front  int  // that wait
		began         bool // the client has just read what waited for it
		stalled, left bool // the server is given up, the client is
	}{
		{"below", 999, 0, false, false, false},
		{"at", 1000, 0, false, false, false},
		{"above", 1001, 0, false, true, false},
		{"client reads slowly", 1001, 2 << 20, false, false, false},
		{"client has just begun to read", 1001, 0, true, false, false},
		{"client reads slowly, at the limit", 4 << 20, 2 << 20, false, false, false},
		{"client reads slowly, above the limit", 4<<20 + 1, 2 << 20, false, false, true},
		{"client has just begun to read, above the limit", 4<<20 + 1, 0, true, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, func(c *Config) { c.Untaken = 4 << 20 })
				r.lined.Backlog = 1000
				defer r.lanes()()
				if tt.began {
					much := frame(0, strings.Repeat("x", 2<<20))
					r.front.Append(&much)
					r.front.Flush()
					synctest.Wait()
					time.Sleep(testGrace - 1)
				}
				r.client.set(true, false)
				text := frame(0, strings.Repeat("x", tt.front))
				r.front.Append(&text)
				r.waiting(tt.bytes)
				r.lined.checkBacklog()
				select {
				case <-r.frontLost.c:
					if !tt.left {
						t.Error("the client was given up")
					}
				default:
					if tt.left {
						t.Error("the client was not given up")
					}
				}
				if got := r.givenUp.Load(); got != tt.stalled {
					t.Errorf("the server is given up: %v, want %v", got, tt.stalled)
				}
			})
		})
	}
}

func TestUntakenHasALimit(t *testing.T) {
	for bytes, want := range map[int]bool{999: false, 1000: false, 1001: true} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, func(c *Config) { c.Untaken = 1000 })
			defer r.lanes()()
			text := frame(0, strings.Repeat("x", bytes-1))
			r.front.Append(&text)
			r.NewEntrant().checkFront()
			select {
			case <-r.frontLost.c:
				if !want {
					t.Errorf("the client is given up for %d bytes", bytes)
				}
			default:
				if want {
					t.Errorf("the client is not given up for %d bytes", bytes)
				}
			}
		})
	}
}

// What was appended and not flushed is written at the end.
func TestLastLinesToTheFrontAreWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.lanes()()
		text := frame(0, "last")
		r.front.Append(&text)
		r.lastToFront(time.Now())
		if got, want := r.client.lines(), "last\n"; got != want {
			t.Errorf("toward the client: %q, want %q", got, want)
		}
	})
}

// Nothing of the front goes in after its end did.
func TestNothingOfTheFrontAfterItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.lanes()()
		e := r.NewEntrant()
		n := 0
		count := func(time.Time, *mcpwire.Steps) { n++ }
		e.fromFront(count)
		r.endFront(nil)
		e.fromFront(count)
		if n != 1 {
			t.Errorf("%d messages went in, want the one before the end", n)
		}
		<-r.lined.inputEnded
	})
}
