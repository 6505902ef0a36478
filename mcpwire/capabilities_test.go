package mcpwire

import (
	"strings"
	"testing"
)

// req: I01
func TestT115(t *testing.T) {
	for _, tt := range []struct{ name, capabilities, up, entry string }{
		{"a form", `{"elicitation":{"url":{}}}`, `{"elicitation":{"url":{}}}`, `FORM`},
		{"a URL", `{"elicitation":{}}`, `{"elicitation":{"form":{}}}`, `PAGE`},
		{"sampling", `{"elicitation":{"form":{}}}`, `{"elicitation":{"form":{}}}`, `MODEL`},
		{"roots", `{"sampling":{}}`, `{"sampling":{}}`, `ROOTS`},
		{"a form, when nothing was declared", `{}`, `{}`, `FORM`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlayer(t, Options{Rand: zeros{}})
			p.play(declaring(tt.capabilities, tt.up))
			p.input("F>", callTool)
			p.wrote = nil
			p.play(roundWords.Replace(`
				U> {V2,"id":2,ASKS"inputRequests":{"bad":` + tt.entry + `}}}
				F< {V2,"id":7,REFUSED,"detail":"bad"}}}`))
		})
	}
}

// declaring is the opening of a session whose front declares these capabilities,
// which go upstream as up.
func declaring(capabilities, up string) string {
	return strings.NewReplacer(
		`"capabilities":{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{},"url":{}}}`, `"capabilities":`+capabilities,
		`"io.modelcontextprotocol/clientCapabilities":{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}}`, `"io.modelcontextprotocol/clientCapabilities":`+up,
	).Replace(handshake)
}

// req: W20
func TestT31(t *testing.T) {
	big := `"` + strings.Repeat("k", 16<<10) + `":{}`
	for _, tt := range []struct{ name, from, to string }{
		{"nothing", `{}`, `{}`},
		{"Visual Studio Code", `{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{},"url":{}},"tasks":{"list":{},"cancel":{}},"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html"]}}}`,
			`{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}},"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html"]}}}`},
		{"what is no object is absent", `{"roots":true,"sampling":1,"elicitation":"x","extensions":[],"experimental":null}`, `{}`},
		{"parts of sampling", `{"sampling":{"tools":{"a":1},"context":{},"other":{}}}`, `{"sampling":{"context":{},"tools":{"a":1}}}`},
		{"parts that are no objects", `{"sampling":{"tools":true},"elicitation":{"url":1,"form":null}}`, `{"sampling":{},"elicitation":{"form":{}}}`},
		{"elicitation without modes", `{"elicitation":{}}`, `{"elicitation":{"form":{}}}`},
		{"elicitation by URL only", `{"elicitation":{"url":{}}}`, `{"elicitation":{"url":{}}}`},
		{"unknown members", `{"future":{},"roots":{}}`, `{"roots":{}}`},
		{"the extension of tasks", `{"extensions":{"io.modelcontextprotocol/tasks":{},"a.example/x":{"n":1.0}}}`, `{"extensions":{"a.example/x":{"n":1.0}}}`},
		{"extensions without a prefix or an object", `{"extensions":{"x":{},"a.example/y":1,"-/z":{}}}`, `{}`},
		{"experimental", `{"experimental":{"a":{"b":[1, 2]},"c":true}}`, `{"experimental":{"a":{"b":[1, 2]}}}`},
		{"experimental that is too large", `{"experimental":{"a":{},` + big + `}}`, `{}`},
		{"one that stands twice", `{"sampling":{},"roots":{},"sampling":{"tools":{}}}`, `{"roots":{}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlayer(t, Options{})
			p.play(declaring(tt.from, tt.to))
		})
	}
}
