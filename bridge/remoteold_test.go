package bridge

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// What each message to an older server says of itself in headers (L10): nothing before the
// session is open; then its id, and from 2025-06-18 on the revision; and nothing that only
// 2026-07-28 has. Only the first response names the session. At the end it is deleted.
//
// req: U11, U17
func TestL10Headers(t *testing.T) {
	for revision, names := range map[string]bool{"2025-03-26": false, "2025-06-18": true, "2025-11-25": true} {
		for _, session := range []string{"s3ss10n-1", ""} {
			t.Run(fmt.Sprintf("%s with a session %t", revision, session != ""), func(t *testing.T) {
				s := newOldSite(t, revision, nil)
				s.session = session
				s.answers = map[string]func(http.ResponseWriter, *query){"renames": func(w http.ResponseWriter, q *query) {
					w.Header().Set("Mcp-Session-Id", "another")
					sendJSON(w, http.StatusOK, oldResult(q.id, text("done")))
				}}
				k := bridged(t, Config{Upstream: s.remote()}).openAs(revision)
				k.call("renames", `{}`)
				k.receive()
				k.wantNext()
				k.leaveSite()
				for _, method := range []string{"initialize", "notifications/initialized", "echo", "GET", "DELETE"} {
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

// A server may refuse to be asked for what it does not know in any way that 2026-07-28 does
// not have; what may pass, and the refusal of a sign-in, say nothing about it.
//
// req: U11
func TestL2Statuses(t *testing.T) {
	for status, falls := range map[int]bool{400: true, 404: true, 405: true, 406: true, 401: false, 403: false, 408: false, 429: false, 500: false, 501: false, 503: false} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){
				"server/discover": func(w http.ResponseWriter, q *query) { http.Error(w, "<html>", status) },
			})
			k := bridged(t, Config{Upstream: s.remote()})
			k.send(initialize)
			got := k.receive()
			if strings.Contains(got, `"result"`) != falls || len(s.queries("initialize")) > 0 != falls {
				t.Errorf("initialize gave %s, and was sent %d times", got, len(s.queries("initialize")))
			}
			k.in.Close()
			k.ended()
			leave(t)
		})
	}
}

// The id of a session is visible ASCII and not too long; with another one initialize fails.
// It comes out nowhere.
//
// req: U17, P04
func TestU17(t *testing.T) {
	for _, tt := range []struct {
		name  string
		ids   []string
		valid bool
	}{
		{"short", []string{"!"}, true},
		{"as long as may be", []string{strings.Repeat("~", 1024)}, true},
		{"longer", []string{marker + strings.Repeat("x", 1025-len(marker))}, false},
		{"empty", []string{""}, false},
		{"a blank in it", []string{marker + " x"}, false},
		{"no ASCII", []string{marker + "\u00e9"}, false},
		{"two of them", []string{marker, "b"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newOldSite(t, "2025-11-25", nil)
			s.answers = map[string]func(http.ResponseWriter, *query){"initialize": func(w http.ResponseWriter, q *query) {
				w.Header()["Mcp-Session-Id"] = tt.ids
				sendJSON(w, http.StatusOK, oldResult(q.id, s.welcome()))
			}}
			k := bridged(t, Config{Upstream: s.remote()})
			k.send(initialize)
			got := k.receive()
			if tt.valid {
				if !strings.Contains(got, `"result"`) {
					t.Errorf("initialize gave %s", got)
				}
			} else if !strings.Contains(got, `"cause":"invalid_upstream_message"`) {
				t.Errorf("initialize gave %s, want a violation", got)
			}
			k.in.Close()
			k.ended()
			leave(t)
			if n := len(s.queries("DELETE")); n > 0 != tt.valid {
				t.Errorf("%d sessions were deleted", n)
			}
			checkMarkers(t, "log", k.log.String(), "mcp-bridge-vscode: ")
			checkMarkers(t, "answer", got, "")
		})
	}
}

// The id of a session, and where a server of 2024-11-05 wants messages to be sent, come out
// neither in an answer nor in a line of the log, whatever fails.
//
// req: U17, P04
func TestU17IsASecret(t *testing.T) {
	s := newOldSite(t, "2025-11-25", map[string]func(http.ResponseWriter, *query){
		"http":    func(w http.ResponseWriter, q *query) { http.Error(w, q.Header.Get("Mcp-Session-Id"), 500) },
		"invalid": func(w http.ResponseWriter, q *query) { sendJSON(w, 200, q.Header.Get("Mcp-Session-Id")) },
		"broken":  func(w http.ResponseWriter, q *query) { panic(http.ErrAbortHandler) },
		"elsewhere": func(w http.ResponseWriter, q *query) {
			http.Redirect(w, q.Request, "https://other.example/"+q.Header.Get("Mcp-Session-Id"), http.StatusTemporaryRedirect)
		},
		"DELETE": func(w http.ResponseWriter, q *query) { http.Error(w, q.Header.Get("Mcp-Session-Id"), 500) },
	})
	s.session = marker
	k := bridged(t, Config{Upstream: s.remote()}).open()
	for _, tool := range []string{"http", "invalid", "broken", "elsewhere"} {
		k.call(tool, `{}`)
		got := k.receive()
		if !strings.Contains(got, `"cause":`) {
			t.Errorf("%s: %s", tool, got)
		}
		checkMarkers(t, "answer", got, "")
		if q := s.queries(tool); len(q) != 1 || q[0].Header.Get("Mcp-Session-Id") != marker {
			t.Errorf("%s: %d requests", tool, len(q))
		}
	}
	k.leaveSite()
	checkMarkers(t, "log", k.log.String(), "mcp-bridge-vscode: ")
}
