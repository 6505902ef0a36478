package mcpwire

import (
	"fmt"
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
		{"one that stands twice", `{"sampling":{},"roots":{},"sampling":{"tools":{}}}`, `{"roots":{}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlayer(t, Options{})
			p.play(declaring(tt.from, tt.to))
		})
	}
}

// What every request repeats of the front has a bound, whatever makes it long. What the
// front can be asked for always goes upstream.
//
// req: W20
func TestT30Bound(t *testing.T) {
	const (
		begin = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"`
		info  = `,"io.modelcontextprotocol/clientInfo":`
		can   = `,"io.modelcontextprotocol/clientCapabilities":`
		plain = `{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}`
	)
	for _, tt := range []struct{ name, info, capabilities, over string }{
		{"a name", `{"name":"FILL","version":"1"}`, plain, begin + can + plain},
		{"an icon", `{"name":"e","version":"1","icons":[{"src":"data:FILL"}]}`, plain, begin + can + plain},
		{"a part of sampling", `{"name":"e","version":"1"}`, strings.Replace(plain, `"tools":{}`, `"tools":{"x":"FILL"}`, 1),
			begin + info + `{"name":"e","version":"1"}` + can + plain},
		{"extensions", `{"name":"e","version":"1"}`, strings.TrimSuffix(plain, "}") + `,"extensions":{"a.example/x":{"x":"FILL"}}}`,
			begin + info + `{"name":"e","version":"1"}` + can + plain},
		{"experimental and a name", `{"name":"FILL","version":"1"}`, strings.TrimSuffix(plain, "}") + `,"experimental":{"x":{"x":"FILL"}}}`,
			begin + can + plain},
	} {
		for _, limit := range []int{400, standard.ExtraMeta} {
			for over := -1; over <= 1; over++ {
				t.Run(fmt.Sprintf("%s: %d%+d", tt.name, limit, over), func(t *testing.T) {
					whole := begin + info + tt.info + can + tt.capabilities
					size := limit + over - len(whole) + strings.Count(whole, "FILL")*len("FILL")
					fill := strings.Repeat("x", size)
					if strings.Count(whole, "FILL") > 1 { // each of them is too long
						fill = strings.Repeat("x", limit)
					}
					fits := over <= 0 && strings.Count(whole, "FILL") == 1
					p := newPlayer(t, Options{Limits: Limits{ExtraMeta: limit}})
					p.input("F>", strings.ReplaceAll(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":`+tt.capabilities+`,"clientInfo":`+tt.info+`}}`, "FILL", fill))
					want := tt.over
					if fits {
						want = strings.ReplaceAll(whole, "FILL", fill)
					}
					p.play(`U< {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + want + `}}}`)
				})
			}
		}
	}
}
