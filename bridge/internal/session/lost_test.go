package session

import (
	"strings"
	"testing"
	"testing/synctest"
)

// A server that ends while the client is asked something for it is lost like any other.
//
// req: U01
func TestT100ServerEndsWhileTheClientIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil).openWith(`{"roots":{}}`, `{"tools":{}}`).initialized()
		r.client.lines()
		r.call(7)
		r.server.send(`{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}}}}`)
		wantIn(t, r.client.lines(), `"id":"b-1"`, `"method":"roots/list"`)
		r.server.to.Close()
		r.ended(ErrLost)
		got := r.client.lines()
		wantIn(t, got, `"id":7,"error":{"code":-32603`, `"cause":"upstream_exited"`)
		if n := strings.Count(got, `"error"`); n != 1 {
			t.Errorf("%d errors, want one: %s", n, got)
		}
	})
}
