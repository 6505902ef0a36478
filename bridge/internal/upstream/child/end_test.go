package child

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A crowd is the processes of a child that do what a test says.
type crowd struct {
	began  time.Time
	exited chan struct{} // of the child
	once   sync.Once
	others bool          // somebody else runs, until he is made to end
	until  time.Duration // or until then, if it is not zero

	obeys       bool // all of them end when they are asked to
	asked, made time.Duration
}

func (c *crowd) terminate() {
	c.asked = time.Since(c.began)
	if c.obeys {
		c.end()
	}
}

func (c *crowd) kill() {
	c.made = time.Since(c.began)
	c.end()
}

func (c *crowd) alive() bool {
	return c.others && (c.until == 0 || time.Since(c.began) < c.until)
}

// end ends everybody.
func (c *crowd) end() {
	c.others = false
	c.exit()
}

func (c *crowd) exit() { c.once.Do(func() { close(c.exited) }) }

// Nobody is asked before the grace is over, or killed before twice the grace is, and
// nobody is waited for longer than he runs.
//
// req: P16
func TestStepsOfAStop(t *testing.T) {
	const grace = 2 * time.Second
	for _, tt := range []struct {
		name        string
		others      bool
		alone       time.Duration // when the child ends by itself; 0: never
		allAlone    time.Duration // when all of them do
		obeys       bool
		asked, made time.Duration // 0: never
		took        time.Duration
		forced      bool
	}{
		{"ends with its input", false, time.Second, 0, false, 0, 0, time.Second, false},
		{"ends just in time", false, grace - 1, 0, false, 0, 0, grace - 1, false},
		{"ends when it is asked", false, 0, 0, true, grace, 0, grace, true},
		{"ignores everything", false, 0, 0, false, grace, 2 * grace, 2 * grace, true},
		{"leaves others, which end soon", true, time.Second, 1500 * time.Millisecond, false, 0, 0, 1500 * time.Millisecond, false},
		{"leaves others, which end when they are asked", true, time.Second, 0, true, grace, 0, grace, false},
		{"leaves others, which ignore everything", true, time.Second, 0, false, grace, 2 * grace, 2 * grace, false},
		{"ends with its others after it was asked", true, 0, 3 * time.Second, false, grace, 0, 3 * time.Second, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &crowd{began: time.Now(), exited: make(chan struct{}), others: tt.others, until: tt.allAlone, obeys: tt.obeys}
				if tt.alone > 0 {
					time.AfterFunc(tt.alone, c.exit)
				}
				if tt.allAlone > 0 {
					time.AfterFunc(tt.allAlone, c.exit)
				}
				forced := end(c, c.exited, grace, grace)
				took := time.Since(c.began)
				if forced != tt.forced || c.asked != tt.asked || c.made != tt.made || took != tt.took {
					t.Errorf("forced %v, asked after %v, killed after %v, took %v; want %v, %v, %v, %v",
						forced, c.asked, c.made, took, tt.forced, tt.asked, tt.made, tt.took)
				}
			})
		})
	}
}
