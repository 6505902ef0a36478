package mcpwire

import "testing"

func TestT32(t *testing.T) {
	for _, tt := range []struct{ name, from, to string }{
		{"nothing", `{}`, `{}`},
		{"everything", `{"experimental":{"e":{"x":1.0}},"logging":{},"completions":{},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"tools":{"listChanged":true},"extensions":{"com.acme/x":{"y":[1]}}}`,
			`{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"logging":{},"completions":{},"experimental":{"e":{"x":1.0}},"extensions":{"com.acme/x":{"y":[1]}}}`},
		{"flags that are no literal true", `{"tools":{"listChanged":"true"},"prompts":{"listChanged":1},"resources":{"subscribe":null,"listChanged":false}}`,
			`{"tools":{},"resources":{},"prompts":{}}`},
		{"a flag that stands twice", `{"tools":{"listChanged":true,"listChanged":true}}`, `{"tools":{}}`},
		{"a capability that stands twice", `{"tools":{"listChanged":true},"tools":{"listChanged":true}}`, `{}`},
		{"flags of others", `{"tools":{"subscribe":true},"logging":{"listChanged":true},"prompts":{"x":true}}`, `{"tools":{},"prompts":{},"logging":{}}`},
		{"true counts as an object", `{"tools":true,"logging":true,"resources":true}`, `{"tools":{},"resources":{},"logging":{}}`},
		{"other values count as absent", `{"tools":false,"logging":null,"prompts":1,"resources":[],"completions":"x"}`, `{}`},
		{"tasks", `{"tasks":{"list":{}},"extensions":{"io.modelcontextprotocol/tasks":{},"io.modelcontextprotocol\/tasks":{}}}`, `{}`},
		{"what is unknown", `{"sampling":{},"x":{}}`, `{}`},
		{"entries that are no objects", `{"experimental":{"a":true,"b":1,"c":null,"d":[],"e":{}},"extensions":{"a/b":true,"c/d":{}}}`, `{"experimental":{"e":{}},"extensions":{"c/d":{}}}`},
		{"names of extensions", `{"extensions":{"plain":{},"/x":{},"a b/c":{},"1a/c":{},"a/":{},"a.b/c-d_e":{},"io.modelcontextprotocol/ui":{"mimeTypes":["x"]}}}`,
			`{"extensions":{"a.b/c-d_e":{},"io.modelcontextprotocol/ui":{"mimeTypes":["x"]}}}`},
		{"entries twice", `{"extensions":{"a/b":{}},"extensions":{"c/d":{}}}`, `{}`},
		{"entries of no object", `{"experimental":true,"extensions":[]}`, `{}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlayer(t, Options{})
			p.play(discoverFirst + `
				U> {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":` + tt.from + `}}
				F< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":` + tt.to + `,"serverInfo":{"name":"mcp-upstream","version":"unknown"}}}`)
		})
	}
}
