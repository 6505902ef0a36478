package bridge

import (
	"net/http"
	"strings"
	"testing"
)

// Of the icons of a server at a URL only those that hold their own data reach the editor,
// wherever they stand.
//
// req: W08
func TestW08Icons(t *testing.T) {
	const icons = `"icons":[{"src":"https://icons.example/i.png"},{"src":"file:///i.png"},{"src":"data:image/png;base64,AAAA"},{"src":"http://127.0.0.1/i.png"}]`
	const hints = `,"ttlMs":0,"cacheScope":"private"`
	members := map[string]string{
		"server/discover":          `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1",` + icons + `}}` + hints,
		"tools/list":               `"tools":[{"name":"t","inputSchema":{"type":"object"},` + icons + `}]` + hints,
		"resources/list":           `"resources":[{"name":"r","uri":"x:r",` + icons + `}]` + hints,
		"resources/templates/list": `"resourceTemplates":[{"name":"r","uriTemplate":"x:{r}",` + icons + `}]` + hints,
		"prompts/list":             `"prompts":[{"name":"p",` + icons + `}]` + hints,
		"prompts/get":              `"messages":[{"role":"user","content":{"type":"resource_link","name":"l","uri":"x:l",` + icons + `}}]`,
		"link":                     `"content":[{"type":"resource_link","name":"l","uri":"x:l",` + icons + `}]`,
	}
	answers := make(map[string]func(http.ResponseWriter, *query))
	for of, m := range members {
		answers[of] = func(w http.ResponseWriter, q *query) { sendJSON(w, http.StatusOK, result(q.id, m)) }
	}
	k := bridged(t, Config{Upstream: newSite(t, true, answers).remote()})
	for _, line := range []string{
		initialize, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":2,"method":"resources/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"resources/templates/list"}`, `{"jsonrpc":"2.0","id":4,"method":"prompts/list"}`,
		`{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"p"}}`, callLine(6, "link", `{}`),
	} {
		k.send(line)
		got := k.receive()
		if strings.Contains(got, ".png\"") || strings.Count(got, `"src":`) != 1 || !strings.Contains(got, "data:image/png") {
			t.Errorf("%.60s\ngave %s\nwant the icon with data alone", line, got)
		}
	}
	k.leaveSite()
}
