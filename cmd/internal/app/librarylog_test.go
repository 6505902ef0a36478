package app

import (
	"log"
	"log/slog"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/bridge"
)

// req: P20
func TestLibraryLog(t *testing.T) {
	var out strings.Builder
	l := log.New(libraryLog(bridge.NewLog(&out, slog.LevelDebug)), "", 0)
	l.Print("Authorization: Bearer s3cret")
	if got := out.String(); strings.Contains(got, "s3cret") || !strings.HasPrefix(got, name+": DEBUG ") {
		t.Errorf("log = %q, want one tagged line without the content", got)
	}
}
