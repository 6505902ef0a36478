package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// older is a server that is initialized, and speaks whatever revision it is asked for. Its
// tool "ask" asks the client for its roots, and "echo" gives back what it was called with.
func older() {
	in := bufio.NewScanner(os.Stdin)
	var asked json.RawMessage // id of the call that waits
	for in.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				ProtocolVersion, Name string
				Arguments             json.RawMessage
			}
			Result json.RawMessage
		}
		if json.Unmarshal(in.Bytes(), &m) != nil {
			continue
		}
		result := ""
		switch {
		case m.Method == "initialize":
			result = fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"older","version":"1"}}`, m.Params.ProtocolVersion)
		case m.Method == "tools/list":
			result = `{"tools":[{"name":"ask","inputSchema":{"type":"object","properties":{"a":{"type":"array"}}}}],"nextCursor":null}`
		case m.Method == "tools/call" && m.Params.Name == "ask":
			asked = m.ID
			fmt.Println(`{"jsonrpc":"2.0","id":0,"method":"roots/list"}`)
			continue
		case m.Method == "tools/call":
			result = fmt.Sprintf(`{"content":[],"structuredContent":%s}`, m.Params.Arguments)
		case m.Result != nil:
			m.ID, result = asked, fmt.Sprintf(`{"content":[],"structuredContent":%s}`, m.Result)
			fmt.Println(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		case m.ID != nil:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`+"\n", m.ID)
			continue
		default:
			continue
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
	}
}
