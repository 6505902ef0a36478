package conformance

import (
	"cmp"
	"io"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/trestle-mcp/trestle/conformance/internal/playback"
)

// An editor's recorded sessions, against a server of 2026-07-28 that does in each
// request what the recorded server did: the editor is asked the same questions in
// the same order, its answers reach the server, and each line is the recorded one
// but for what the table says.
//
// req: I09, I11, W04, W07
func TestRecordedSessions(t *testing.T) {
	bridge, child := built(t)
	for _, s := range playback.Sessions {
		t.Run(s.Recording, func(t *testing.T) {
			t.Parallel()
			checkSession(t, s, bridge, child)
		})
	}
}

// lastWords is what a server says of itself when a function ends, and not a process.
var lastWords = playback.Departure{
	Line: "13 die", Path: "error", Recorded: "-32603 upstream_exited", Got: "-32603 upstream_closed",
	Reason: "T100: a server that is a function has no exit, it closes its output",
}

// The same sessions with a server that has the bridge inside: on the path of an older
// client every rule of the translation holds.
//
// req: E04
func TestE04RecordedSessionsEmbedded(t *testing.T) {
	_, child := built(t)
	server := build(t, "cmd/internal/embedded", withRace)
	for _, s := range playback.Sessions {
		t.Run(s.Recording, func(t *testing.T) {
			t.Parallel()
			if s.ExitCode != 0 { // the server ends in the midst of it
				s.Departures = append(slices.Clone(s.Departures), lastWords)
			}
			checkSession(t, s, server, child)
		})
	}
}

// checkSession plays a session to a bridge, behind which child plays the server of it.
func checkSession(t *testing.T, s playback.Session, bridge, child string) {
	t.Helper()
	recording, records := recorded(t, s.Recording)
	editor := start(t, bridge, "--", child, "play", recording)
	seen, err := playback.Play(editor.in, editor.out, records, s.Departures)
	if err != nil {
		t.Fatal(err)
	}
	checkDepartures(t, seen, s.Departures)
	checkEnd(t, editor, s.ExitCode)
}

// checkEnd closes the input, which the recording may have done already, and wants
// the bridge to say nothing more and to go.
func checkEnd(t *testing.T, e *editor, code int) {
	t.Helper()
	e.in.Close()
	rest, err := io.ReadAll(e.out)
	if len(rest) > 0 || err != nil {
		t.Errorf("after the session: %q, %v, want the end of the output", rest, err)
	}
	e.cmd.Wait() // the code says how it went
	if got := e.cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("exit code %d, want %d", got, code)
	}
}

func checkDepartures(t *testing.T, got, want []playback.Departure) {
	t.Helper()
	got, want = slices.Clone(got), slices.Clone(want)
	slices.SortFunc(got, byLine)
	slices.SortFunc(want, byLine)
	for _, d := range want {
		if d.Reason == "" {
			t.Errorf("%s %s: no reason", d.Line, d.Path)
		}
	}
	if diff := gocmp.Diff(want, got, cmpopts.IgnoreFields(playback.Departure{}, "Reason")); diff != "" {
		t.Errorf("departures from the recording (-in the table +seen):\n%s", diff)
	}
}

func byLine(a, b playback.Departure) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Path, b.Path))
}
