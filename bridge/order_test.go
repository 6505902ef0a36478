package bridge

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// Whatever the server writes reaches the client in the order in which it was written:
// answers of every size, also those that are worked on outside the lock, progress, and
// log messages.
//
// req: W18
func TestOrderOfTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const requests = 60
		near, far := jsonrpc.Pipe()
		go func() {
			r := jsonrpc.NewReader(far, nil)
			for id := 1; id <= requests+1; {
				m, err := r.Read()
				if err != nil {
					return
				}
				if m.Kind != jsonrpc.KindRequest {
					continue
				}
				if id == 1 {
					io.WriteString(far, `{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}}}}`+"\n")
				}
				id++
			}
			io.WriteString(far, scrambled(requests))
		}()
		in, toBridge := io.Pipe()
		fromBridge, out := io.Pipe()
		k := bridgedOver(t, Config{Upstream: Link{near}}, in, toBridge, fromBridge, out).open()
		k.send(`{"jsonrpc":"2.0","id":"level","method":"logging/setLevel","params":{"level":"debug"}}`)
		k.receive()
		go func() {
			for i := range requests {
				method := []string{"tools/call", "tools/list"}[i%2]
				fmt.Fprintf(k.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"name":"t","_meta":{"progressToken":%d}}}`+"\n", i+2, method, i+2)
			}
		}()
		for n := range 3 * requests {
			line := k.receive()
			if !strings.Contains(line, fmt.Sprintf(`"n":%d,`, n)) && !strings.Contains(line, fmt.Sprintf(`"progress":%d}`, n)) {
				t.Fatalf("line %d is %.300q", n, line)
			}
		}
		k.in.Close()
		k.wantEnd(nil, "")
		far.Close()
	})
}

// scrambled answers requests with the ids from 2 on in any order, each after progress
// for it and a message of the log. Each line holds its number.
func scrambled(requests int) string {
	var b strings.Builder
	n := 0
	line := func(format string, args ...any) {
		fmt.Fprintf(&b, format+"\n", args...)
		n++
	}
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(requests) {
		id, fill := i+2, strings.Repeat("x", []int{1, 5_000, 100_000}[i%3])
		line(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%d,"progress":%d}}`, id, n)
		line(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"n":%d,"x":"%s"}}}`, n, fill)
		line(`{"jsonrpc":"2.0","id":%d,"result":{"x":{"n":%d,"x":"%s"},"content":[],"tools":[{"name":"t","inputSchema":{"properties":{"a":{"type":"array"}}}}]}}`, id, n, fill)
	}
	return b.String()
}
