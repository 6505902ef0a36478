package demo

import "slices"

// meta holds the keys that the bridge writes into each request to the server.
const meta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"demo-editor","version":"1.0"},` +
	`"io.modelcontextprotocol/clientCapabilities":{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}}`

// level is the key that is there too, once the editor has set a level.
const level = `"io.modelcontextprotocol/logLevel":"info"`

// script is the session. The frames of the editor are written as real editors
// write them; those of the server come from [Serve].
var script = slices.Concat(opening, questions, calls, closing)
