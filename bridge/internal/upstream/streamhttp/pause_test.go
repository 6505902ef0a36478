package streamhttp

import (
	"testing"
	"time"
)

// The wait before a stream is opened again is what the server asks for, within bounds, and
// else grows as long as nothing comes of it.
func TestPause(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		name  string
		least time.Duration
		good  []bool // before each wait
		busy  time.Duration
		want  []time.Duration
	}{
		{"nothing comes", 0, make([]bool, 9), 0, []time.Duration{500 * ms, 1000 * ms, 2000 * ms, 4000 * ms, 8000 * ms, 16000 * ms, 30000 * ms, 30000 * ms, 30000 * ms}},
		{"something comes", 0, []bool{false, false, true, false}, 0, []time.Duration{500 * ms, 1000 * ms, 500 * ms, 1000 * ms}},
		{"the server asks for it each time", 300 * ms, []bool{true, true, true}, 0, []time.Duration{300 * ms, 300 * ms, 300 * ms}},
		{"the server has asked for it once", 300 * ms, []bool{true, false, false}, 0, []time.Duration{300 * ms, 600 * ms, 1200 * ms}},
		{"longer than the longest", time.Minute, []bool{true, false, false}, 0, []time.Duration{time.Minute, time.Minute, time.Minute}},
		{"the server is busy once", 0, []bool{false, false}, 2 * time.Second, []time.Duration{2 * time.Second, 1000 * ms}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var p pause
			p.wait(tt.busy)
			for i, want := range tt.want {
				p.good = tt.good[i]
				if got := p.next(tt.least); got != want {
					t.Errorf("wait %d is %v, want %v", i, got, want)
				}
			}
		})
	}
}
