package bridge

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// Calls that wait for their answers, and lines that wait for the server, count
// together. Above the limit a call is refused at once, and the client is read on.
//
// req: W01
func TestHeldBytesRefuseCalls(t *testing.T) {
	const size = 100_000 // bytes of a call
	argument := `{"text":"` + strings.Repeat("x", size-len(callLine(100, "never", `{"text":""}`))) + `"}`
	for _, tt := range []struct {
		name  string
		reads int64 // bytes that the server reads
		most  int   // calls of size that fit
	}{
		{"a server that reads", 1 << 40, 20},
		{"a server that does not", 600, 10}, // each counts twice: it waits for its answer, and for the server
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				near, far := jsonrpc.Pipe()
				go (&server{out: far}).serve(io.LimitReader(far, tt.reads))
				in, toBridge := io.Pipe()
				fromBridge, out := io.Pipe()
				k := bridgedOver(t, Config{Upstream: Link{near}, Limits: Limits{Line: 1 << 20}}, in, toBridge, fromBridge, out).open()
				for i := range tt.most {
					k.send(callLine(100+i, "never", argument))
					synctest.Wait()
				}
				k.send(callLine(100+tt.most, "never", argument))
				busy := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"Too many requests are in flight.","data":{"cause":"busy"}}}`, 100+tt.most)
				if got := k.receive(); got != busy {
					t.Errorf("the call over the limit gave %.200q, want it refused", got)
				}
				k.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, 99+tt.most))
				k.send(callLine(999, "never", argument)) // has the room of the cancelled one
				k.send(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
				if got := k.receive(); got != `{"jsonrpc":"2.0","id":"p","result":{}}` {
					t.Errorf("after a cancellation the next answer is %.200q, want that to ping", got)
				}
				k.in.Close()
				k.wantEnd(nil, "")
				far.Close()
			})
		})
	}
}
