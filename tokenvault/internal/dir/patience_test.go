package dir

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Who holds a file for moments is waited for, and for two seconds at most.
func TestThreat56Patience(t *testing.T) {
	errBusy, errOther := errors.New("in the way"), errors.New("other")
	busy := func(err error) bool { return errors.Is(err, errBusy) }
	tests := []struct {
		name      string
		until     time.Duration // when nobody is in the way any more
		then      error
		want      error
		atLeast   time.Duration
		atMost    time.Duration
		mostCalls int
	}{
		{"free", 0, nil, nil, 0, 0, 1},
		{"another error", 0, errOther, errOther, 0, 0, 1},
		{"for a moment", 30 * time.Millisecond, nil, nil, 30 * time.Millisecond, 80 * time.Millisecond, 10},
		{"for long", 1900 * time.Millisecond, nil, nil, 1900 * time.Millisecond, patience, 60},
		{"and another error then", 100 * time.Millisecond, errOther, errOther, 100 * time.Millisecond, 150 * time.Millisecond, 10},
		{"for ever", time.Hour, nil, errBusy, patience - longPause, patience, 60},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start, calls := time.Now(), 0
				err := patiently(busy, func() error {
					calls++
					if time.Since(start) < test.until {
						return errBusy
					}
					return test.then
				})
				if !errors.Is(err, test.want) {
					t.Errorf("%v, want %v", err, test.want)
				}
				if took := time.Since(start); took < test.atLeast || took > test.atMost {
					t.Errorf("it took %v, want %v to %v", took, test.atLeast, test.atMost)
				}
				if calls > test.mostCalls {
					t.Errorf("%d calls, want at most %d", calls, test.mostCalls)
				}
			})
		})
	}
}
