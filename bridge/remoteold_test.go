package bridge

import (
	"fmt"
	"strings"
	"testing"
)

// What each message to an older server says of itself in headers (L10): nothing before the
// session is open; then its id, and from 2025-06-18 on the revision; and nothing that only
// 2026-07-28 has. At the end the session is deleted.
//
// req: U11, U17
func TestL10Headers(t *testing.T) {
	for revision, names := range map[string]bool{"2025-03-26": false, "2025-06-18": true, "2025-11-25": true} {
		for _, session := range []string{"s3ss10n-1", ""} {
			t.Run(fmt.Sprintf("%s with a session %t", revision, session != ""), func(t *testing.T) {
				s := newOldSite(t, revision, nil)
				s.session = session
				k := bridged(t, Config{Upstream: s.remote()}).openAs(revision)
				k.wantNext()
				k.leaveSite()
				for _, method := range []string{"initialize", "notifications/initialized", "tools/call", "GET", "DELETE"} {
					got := s.queries(method)
					if method == "DELETE" && session == "" {
						if len(got) > 0 {
							t.Error("a session was deleted that does not exist")
						}
						continue
					}
					if len(got) != 1 {
						t.Errorf("%d of %s\nlog: %s", len(got), method, k.log)
						continue
					}
					checkOldHeaders(t, got[0], revision, session, names && method != "initialize")
				}
				if strings.Contains(k.log.String(), "s3ss10n") {
					t.Errorf("the log holds the session: %s", k.log)
				}
			})
		}
	}
}

func checkOldHeaders(t *testing.T, q *query, revision, session string, names bool) {
	t.Helper()
	want := map[string]string{"Mcp-Method": "", "Mcp-Name": "", "Mcp-Protocol-Version": "", "Mcp-Session-Id": session, "Last-Event-Id": ""}
	want["Accept"], want["Content-Type"] = "application/json, text/event-stream", "application/json"
	switch q.method {
	case "initialize":
		want["Mcp-Session-Id"] = ""
	case "GET":
		want["Accept"], want["Content-Type"] = "text/event-stream", ""
	case "DELETE":
		want["Content-Type"] = ""
	}
	if names {
		want["Mcp-Protocol-Version"] = revision
	}
	for name, value := range want {
		if got := q.Header.Get(name); got != value {
			t.Errorf("%s: %s is %q, want %q", q.method, name, got, value)
		}
	}
}
