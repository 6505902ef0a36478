package peers

import (
	"bufio"
	"context"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/conformance/internal/official"
	"github.com/trestle-mcp/trestle/conformance/internal/playback"
	"github.com/trestle-mcp/trestle/conformance/internal/wire"
	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// In an editor's recorded sessions, too, what the bridge writes is valid on both
// wires, and so is what the server of our own writes, but for what it does because
// the recorded one did.
//
// req: W16
func TestRecordedSessionsAreValid(t *testing.T) {
	kit, bridge := prepared(t)
	fixture, err := repository(t).Build(t.Context(), "conformance/fixture/cmd/fixture", filepath.Join(t.TempDir(), "fixture"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range playback.Sessions {
		t.Run(s.Recording, func(t *testing.T) {
			recording, err := filepath.Abs(filepath.Join("..", "testdata", s.Recording))
			if err != nil {
				t.Fatal(err)
			}
			record := t.TempDir()
			upstream := filepath.Join(record, "upstream.jsonl")
			command := append([]string{kit.Tap(), filepath.Join(record, "front.jsonl")}, bridge...)
			playedBack(t, s, recording, append(command, "--", kit.Tap(), upstream, fixture, "play", recording))
			r := new(run.Report)
			for _, w := range []run.Wire{run.Front, run.Upstream} {
				rev, err := official.Load(kit.Schemas(), w.Revision)
				if err != nil {
					t.Fatal(err)
				}
				run.Judge(w, rev, recordOf(t, record, w), r)
			}
			checkFrames(t, r)
		})
	}
}

// playedBack plays a session to a command.
func playedBack(t *testing.T, s playback.Session, recording string, command []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stderr = t.Output()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := playback.Play(in, bufio.NewReader(out), readRecords(t, recording), s.Departures); err != nil {
		t.Error(err)
	}
	in.Close() // which the recording may have done
	cmd.Wait() // the code says how it went
	if got := cmd.ProcessState.ExitCode(); got != s.ExitCode {
		t.Errorf("exit code %d, want %d", got, s.ExitCode)
	}
}

// recordOf returns what was recorded of a wire in a directory.
func recordOf(t *testing.T, dir string, w run.Wire) []wire.Record {
	t.Helper()
	return readRecords(t, filepath.Join(dir, w.Name+".jsonl"))
}

func readRecords(t *testing.T, name string) []wire.Record {
	t.Helper()
	records, err := wire.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return records
}
