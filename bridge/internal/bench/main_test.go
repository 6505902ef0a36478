package main

import (
	"os"
	"testing"
)

// The programs that are measured are the test itself.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "-child" {
		if os.Args[2] == "bridge" {
			beProfiled(os.Args[4], os.Args[5], os.Args[6])
			return
		}
		beServer(os.Args[2])
		return
	}
	os.Exit(m.Run())
}

// Each yardstick and the bridge make calls over each kind of connection: no target is
// measured here, but a figure of what did not work would be a good one.
func TestCallers(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			dir := t.TempDir()
			s := startServer(k, dir)
			defer s.stop()
			for name, start := range map[string]func() caller{
				bareName: func() caller { return newBare(s) },
				bridgeName: func() caller {
					return startBridge([]string{self, "-child", "bridge", "--", s.url, s.caFile, dir + "/profile"})
				},
			} {
				c := start()
				took, _ := c.load(200, inFlight)
				c.stop()
				if len(took) != 200 {
					t.Errorf("%s: %d calls, want 200", name, len(took))
				}
			}
		})
	}
}

func TestRatios(t *testing.T) {
	a, b := []figure{{alone: 30}, {alone: 10}, {alone: 40}}, []figure{{alone: 10}, {alone: 10}, {alone: 10}}
	if got := median(ratios(a, b, alone)); got != 3 {
		t.Errorf("median %v, want 3", got)
	}
	if got := median([]float64{4, 1, 2, 3}); got != 2.5 {
		t.Errorf("median %v, want 2.5", got)
	}
}

func TestID(t *testing.T) {
	for line, want := range map[string]int{
		`{"jsonrpc":"2.0","id":12,"result":{}}`: 12,
		`{"result":{},"jsonrpc":"2.0","id":7}`:  7,
		`{"jsonrpc":"2.0","method":"x"}`:        -1,
		`{"jsonrpc":"2.0","id":"a","result":1}`: -1,
	} {
		if got := id([]byte(line)); got != want {
			t.Errorf("id of %s is %d, want %d", line, got, want)
		}
	}
}
