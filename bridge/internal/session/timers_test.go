package session

import (
	"slices"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

func TestTimersKeepTheEarliestFirst(t *testing.T) {
	epoch := time.Unix(1_000_000, 0)
	arm := func(n uint32, seconds int) mcpwire.Timer {
		return mcpwire.Timer{
			ID: mcpwire.TimerID{Kind: mcpwire.TimerRequest, N: n},
			At: epoch.Add(time.Duration(seconds) * time.Second),
		}
	}
	id := func(n uint32) mcpwire.TimerID { return arm(n, 0).ID }
	for _, tt := range []struct {
		name   string
		arm    []mcpwire.Timer
		disarm []mcpwire.TimerID
		want   []uint32 // due after 10 s, in order
	}{
		{"none", nil, nil, nil},
		{"later first", []mcpwire.Timer{arm(1, 3), arm(2, 1), arm(3, 2)}, nil, []uint32{2, 3, 1}},
		{"equal times in the order of arming", []mcpwire.Timer{arm(1, 3), arm(2, 3)}, nil, []uint32{1, 2}},
		{"not yet due", []mcpwire.Timer{arm(1, 11), arm(2, 10)}, nil, []uint32{2}},
		{"armed again moves", []mcpwire.Timer{arm(1, 1), arm(2, 2), arm(1, 3)}, nil, []uint32{2, 1}},
		{"disarmed", []mcpwire.Timer{arm(1, 1), arm(2, 2)}, []mcpwire.TimerID{id(1), id(7)}, []uint32{2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ts := timers{next: time.NewTimer(time.Hour)}
			defer ts.next.Stop()
			ts.set(tt.arm, tt.disarm)
			var got []uint32
			for {
				id, ok := ts.due(epoch.Add(10 * time.Second))
				if !ok {
					break
				}
				got = append(got, id.N)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("due = %v, want %v", got, tt.want)
			}
		})
	}
}
