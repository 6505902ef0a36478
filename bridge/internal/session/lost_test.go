package session

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
)

// A server that ends while the client is asked something for it is lost like any other.
//
// req: U01
func TestT100ServerEndsWhileTheClientIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		go func() { r.done <- r.Run(context.Background()) }()
		r.client.send(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25",` +
			`"capabilities":{"roots":{}},"clientInfo":{"name":"test","version":"1"}}}`)
		r.server.send(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],` +
			`"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}`)
		r.client.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
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
