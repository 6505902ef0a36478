package mcpwire_test

import (
	"fmt"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// A session is given what each side sends, and answers with the lines to write.
func ExampleSession() {
	session := mcpwire.New(mcpwire.Options{Profile: mcpwire.VSCode})
	options := &jsonrpc.ReaderOptions{Members: mcpwire.Members()}
	var steps mcpwire.Steps

	hello, err := jsonrpc.Parse([]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":`+
		`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"editor","version":"1"}}}`), options)
	if err != nil {
		fmt.Println(err)
		return
	}
	session.FromFront(time.Now(), hello, &steps)
	for i := range steps.ToUpstream {
		fmt.Printf("%s\n", steps.ToUpstream[i].AppendTo(nil))
	}

	answer, err := jsonrpc.Parse([]byte(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",`+
		`"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},`+
		`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"server","version":"2"}}}}`), options)
	if err != nil {
		fmt.Println(err)
		return
	}
	steps.Reset()
	session.FromUpstream(time.Now(), 0, answer, &steps)
	for i := range steps.ToFront {
		fmt.Printf("%s\n", steps.ToFront[i].AppendTo(nil))
	}
	// Output:
	// {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"editor","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}
	// {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"2"}}}
}
