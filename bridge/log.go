package bridge

import (
	"io"
	"log/slog"

	"github.com/trestle-mcp/trestle/bridge/internal/diag"
)

// NewLog returns a logger that writes one line for each record of at least level:
//
//	mcp-bridge-vscode: LEVEL text key=value…
//
// Each line is one Write. Attributes whose keys the bridge does not use itself are
// left out, so that no payload can end up in a line.
func NewLog(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(diag.NewHandler(w, level))
}
