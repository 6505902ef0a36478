package conformance

import (
	"runtime"
	"syscall"
	"testing"
	"time"
)

// longestEnd is how long a bridge and its server may take to end: twice the grace of
// two seconds, and two more. The editor of the recordings waits for ten seconds before
// it does the next thing to stop a server.
const longestEnd = 6 * time.Second

// Whatever an editor does to stop the bridge, the bridge is gone within its limits and
// the server with it, even one that ignores what it is asked.
//
// req: P02, P16
func TestRecordedStop(t *testing.T) {
	bridge, child := built(t)
	for _, server := range []struct {
		name, recording string
		options         []string
	}{
		{"ignores the end of the input", "ignores-eof.jsonl", []string{"--ignore-eof"}},
		{"ignores SIGTERM too", "stubborn.jsonl", []string{"--ignore-eof", "--ignore-sigterm"}},
	} {
		for _, stop := range stops {
			t.Run(server.name+"/"+stop.name, func(t *testing.T) {
				t.Parallel()
				if !stop.on(runtime.GOOS) {
					t.Skip("not on this system")
				}
				recording, records := recorded(t, server.recording)
				observer := observe(t)
				command := append([]string{bridge, "--", child, "--observer", observer.address()}, server.options...)
				editor := start(t, append(command, "recorded", recording)...)
				observer.started(t)
				checkDifferences(t, replay(t, editor, records), ruled)

				begin := time.Now()
				stop.do(t, editor)
				observer.gone(t)
				if took := time.Since(begin); took > longestEnd {
					t.Errorf("gone after %v, want no more than %v", took, longestEnd)
				}
			})
		}
	}
}

// stops are the ways to stop a bridge. do waits for the bridge.
var stops = []struct {
	name string
	on   func(system string) bool
	do   func(t *testing.T, e *editor)
}{
	{
		"end of input",
		func(string) bool { return true },
		func(t *testing.T, e *editor) { e.end(t) },
	},
	{
		"SIGTERM",
		func(system string) bool { return system != "windows" },
		func(t *testing.T, e *editor) {
			if err := e.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			e.gone(t)
		},
	},
	{
		"SIGKILL", // elsewhere only the input of the child ends
		func(system string) bool { return system == "linux" || system == "windows" },
		func(t *testing.T, e *editor) {
			if err := e.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			if err := e.cmd.Wait(); err == nil {
				t.Error("the bridge ended well, want it killed")
			}
		},
	},
}
