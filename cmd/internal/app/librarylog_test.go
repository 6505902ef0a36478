package app

import (
	"io"
	"log"
	"log/slog"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/bridge"
)

// A reader is an input of which every Read does something.
type reader func() error

func (r reader) Read([]byte) (int, error) { return 0, r() }

// While a session runs, what libraries log goes to its log, without the content.
//
// req: P20
func TestLogOfLibrariesInASession(t *testing.T) {
	defer log.SetOutput(log.Writer())
	defer log.SetFlags(log.Flags())
	var out, errs strings.Builder
	in := reader(func() error {
		log.Print("Authorization: Bearer s3cret")
		return io.EOF
	})
	_ = Run(t.Context(), []string{"--log-level", "debug", "--", "no-such-program-of-trestle"}, nil, in, &out, &errs)
	const want = name + ": DEBUG a library wrote a log line, which is not shown\n"
	if got := errs.String(); strings.Contains(got, "s3cret") || strings.Count(got, want) != 1 || out.String() != "" {
		t.Errorf("stdout %q, stderr %q; want no stdout, and %q on stderr once", out.String(), got, want)
	}
	for line := range strings.Lines(errs.String()) {
		if !strings.HasPrefix(line, name+": ") {
			t.Errorf("line %q has no tag", line)
		}
	}
}

// req: P20
func TestLibraryLog(t *testing.T) {
	var out strings.Builder
	l := log.New(libraryLog(bridge.NewLog(&out, slog.LevelDebug)), "", 0)
	l.Print("Authorization: Bearer s3cret")
	if got := out.String(); strings.Contains(got, "s3cret") || !strings.HasPrefix(got, name+": DEBUG ") {
		t.Errorf("log = %q, want one tagged line without the content", got)
	}
}
