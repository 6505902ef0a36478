package session

import (
	"log/slog"
	"testing"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// req: U14
func TestJunkLinesInARow(t *testing.T) {
	s := &Session{Config: Config{Log: slog.New(slog.DiscardHandler)}}
	for _, limit := range []int{1, 10, 200} {
		j := junk{limit: limit}
		lines := 1
		for ; !s.tooMuch(&j, &jsonrpc.LineError{Fault: jsonrpc.FaultSyntax}); lines++ {
			if s.tooMuch(&j, &jsonrpc.LineError{Fault: jsonrpc.FaultShape, ID: []byte("1")}) {
				t.Error("a line that names a request counts as junk")
			}
		}
		if lines != limit {
			t.Errorf("the server is given up at line %d, want %d", lines, limit)
		}
	}
}
