package app

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A server can put anything into what check reads. It ends with a result all the same, and
// the report holds no text of an error, in which a server may repeat what it was sent.
//
// req: P04 P13
func TestP13CheckOfAHostileServer(t *testing.T) {
	listed := func(members string) string { return `"result":{"resultType":"complete",` + members + `}` }
	const hints = `,"ttlMs":0,"cacheScope":"private"`
	for _, tt := range []struct{ name, answer, want string }{
		{"cause that repeats a header", `"error":{"code":-32050,"message":"m4rk3r","data":{"cause":"Bearer m4rk3r"}}`, "error -32050 of the server"},
		{"status of the server's own", `"error":{"code":-32050,"message":"m4rk3r","data":{"cause":"m4rk3r","status":200}}`, "error -32050 of the server"},
		{"text as data", `"error":{"code":-32050,"message":"m4rk3r","data":"m4rk3r"}`, "error -32050 of the server"},
		{"number as cause", `"error":{"code":-32050,"message":"m4rk3r","data":{"cause":5}}`, "error -32050 of the server"},
		{"list as data", `"error":{"code":-32050,"message":"m4rk3r","data":[1]}`, "error -32050 of the server"},
		{"id in capitals too", listed(`"tools":[]`+hints) + `,"ID":99`, "ok"},
		{"no next page", listed(`"tools":[],"nextCursor":null` + hints), "ok"},
		{"null as tools", listed(`"tools":null` + hints), "invalid_upstream_message"},
		{"the same page for ever", listed(`"tools":[],"nextCursor":"m4rk3r"` + hints), "ok"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				answer := listed(`"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}` + hints)
				if r.Header.Get("Mcp-Method") == "tools/list" {
					answer = tt.answer
				}
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, idPattern.FindSubmatch(body)[1], answer)
			}))
			defer s.Close()
			_, stdout, stderr := runWith(t, markedEnv, []string{"check", "--header-env", "Authorization=M4RK3R_VARIABLE", s.URL + "/m4rk3r"})
			if !strings.HasSuffix(stdout, "\nresult    "+tt.want+"\n") {
				t.Errorf("stdout:\n%s\nwant result %s\nstderr: %s", stdout, tt.want, stderr)
			}
			noMarker4(t, "the report", stdout+stderr)
		})
	}
}
