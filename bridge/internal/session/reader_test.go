package session

import (
	"errors"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// req: U14
func TestJunkLinesInARow(t *testing.T) {
	s := &Lined{s: &Session{Config: Config{Log: slog.New(slog.DiscardHandler)}}}
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

// req: P19
func TestInputThatCannotBeReadIsSaidOnce(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want string // of the log
	}{
		{"end of input", io.EOF, ""},
		{"error", errors.New("secret"), "mcp-bridge-vscode: ERROR the client's input cannot be read, which ends the session as its end would\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil).open()
				r.log.Reset()
				r.client.to.CloseWithError(tt.err)
				r.ended(nil)
				if got := r.log.String(); got != tt.want {
					t.Errorf("log = %q, want %q", got, tt.want)
				}
			})
		})
	}
}
