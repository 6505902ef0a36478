package bridge

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// The ceiling of the configuration holds for what a server asks a model.
//
// req: I13
func TestI13MaxTokensOfTheConfiguration(t *testing.T) {
	near, far := jsonrpc.Pipe()
	t.Cleanup(func() { far.Close() })
	in, toBridge := io.Pipe()
	fromBridge, out := io.Pipe()
	k := bridgedOver(t, Config{Upstream: Link{near}, MaxTokens: 4096}, in, toBridge, fromBridge, out)
	p := &peer{t: t, in: bufio.NewReader(far), out: far}
	k.send(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{}},"clientInfo":{"name":"c","version":"1"}}}`)
	p.expect(`"server/discover"`)
	p.write(`{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`)
	k.receive()
	k.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	k.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t"}}`)
	p.expect(`"tools/call"`)
	p.write(`{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"m":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":4097}}}}}`)
	if got, want := k.receive(), `"maxTokens":4096}`; !strings.Contains(got, want) {
		t.Errorf("the client got %s, want %s", got, want)
	}
	k.in.Close()
	k.wantEnd(nil, "")
}
