package bridge

import (
	"errors"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// fault returns what is wrong with a line of a server.
func fault(t *testing.T, line string, limit int) jsonrpc.Fault {
	t.Helper()
	_, err := jsonrpc.NewReader(strings.NewReader(line+"\n"), serverLines(Limits{Line: limit})).Read()
	if err == nil {
		return 0
	}
	bad, ok := errors.AsType[*jsonrpc.LineError](err)
	if !ok {
		t.Fatalf("Read = %v", err)
	}
	return bad.Fault
}

// req: W02
func TestDepthOfALineOfAServer(t *testing.T) {
	for levels, want := range map[int]jsonrpc.Fault{511: 0, 512: 0, 513: jsonrpc.FaultTooDeep} {
		n := levels - 2 // the envelope, and params
		line := `{"jsonrpc":"2.0","method":"m","params":{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}}`
		if got := fault(t, line, 10_000); got != want {
			t.Errorf("fault of %d levels = %v, want %v", levels, got, want)
		}
	}
}

// req: W02
func TestLengthOfALineOfAServer(t *testing.T) {
	line := `{"jsonrpc":"2.0","method":"m"}`
	for limit, want := range map[int]jsonrpc.Fault{len(line) + 1: 0, len(line): 0, len(line) - 1: jsonrpc.FaultTooLong} {
		if got := fault(t, line, limit); got != want {
			t.Errorf("fault with a limit of %d = %v, want %v", limit, got, want)
		}
	}
}

func TestLoneSurrogatesOfAServerPass(t *testing.T) {
	if got := fault(t, `{"jsonrpc":"2.0","method":"m","params":{"a":"\ud800"}}`, 1000); got != 0 {
		t.Errorf("fault = %v, want none", got)
	}
}
