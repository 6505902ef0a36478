package bridge

import (
	"bytes"
	"testing"
)

// What a server writes on standard error is in no error of the bridge.
//
// req: P05
func TestErrorsHoldNoStandardError(t *testing.T) {
	var stderr bytes.Buffer
	k := bridged(t, Config{Upstream: command(t, "serve", &stderr)}).open()
	k.call("noise", `{}`)
	k.receive()
	k.call("crash", `{}`)
	if got, want := k.receive(), `{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"The server has exited or could not be started.","data":{"cause":"upstream_exited"}}}`; got != want {
		t.Errorf("the client got %s, want %s", got, want)
	}
	k.wantEnd(ErrUpstreamLost, "")
	if !bytes.Contains(stderr.Bytes(), []byte("noise of the server")) {
		t.Errorf("standard error was %q, want the noise", stderr.Bytes())
	}
}
