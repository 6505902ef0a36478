package signin

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// marker stands in every secret that a test plants, and in no other process. The other
// secrets are made by the bridge and by the peer.
var marker = fmt.Sprint("p14nt3d", os.Getpid())

// errorBodies are what an authorization server may answer that holds secrets.
var errorBodies = map[string]answer{
	"described": {http.StatusBadRequest, jsonHeader, `{"error":"invalid_grant","error_description":"` + marker + `-description","error_uri":"https://` + marker + `/"}`},
	"tokens":    {http.StatusInternalServerError, jsonHeader, `{"access_token":"` + marker + `-access","refresh_token":"` + marker + `-refresh"}`},
	"page":      {http.StatusBadGateway, map[string]string{"content-type": "text/html"}, "<p>" + marker + "-page</p>"},
	"code":      {http.StatusBadRequest, jsonHeader, `{"error":"` + strings.ToUpper(marker) + ` code"}`},
}

var jsonHeader = map[string]string{"content-type": "application/json"}

// A marked person signs in with a secret in each place where one can be.
type marked struct {
	*person
	options []string
}

func newMarked(t *testing.T, p *peer) *marked {
	t.Helper()
	who := newPerson(t, p)
	who.url += "?key=" + marker + "-query"
	who.env = []string{"MCP_BRIDGE_CLIENT_SECRET=registered-secret", "HEADER_VARIABLE=" + marker + "-variable"}
	return &marked{who, []string{
		"--log-level", "debug", "--client-id", "registered", "--client-issuer", p.Issuer, "--header-env", "X-Key=HEADER_VARIABLE",
		"--header-file", write(t, "headers", []byte("X-Other: "+marker+"-file\n")),
	}}
}

func isClientSecret(variable string) bool {
	return strings.HasPrefix(variable, "MCP_BRIDGE_CLIENT_SECRET=")
}

// A sign-in in which everything happens, and everything fails, tells no secret: not in the
// log, not in an error to the editor, not in what is kept, and not in what the browser and
// anybody on the machine can see. Only the line that says where to sign in has its state.
//
// req: P03, P04, S03
func TestMarkersOfASignIn(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	for name, body := range errorBodies {
		t.Run("tokens refused, "+name, func(t *testing.T) {
			who := newMarked(t, p)
			p.answers(t, map[string]answer{"/token": body})
			f := who.start(who.options...)
			if r := f.initialize(); r.cause() != "token_exchange_failed" {
				t.Errorf("initialize: %+v", r.Error)
			}
			f.close()
			who.checkSecrets(t, f)
		})
		t.Run("registration refused, "+name, func(t *testing.T) {
			who := newMarked(t, p)
			p.answers(t, map[string]answer{"/reg": body})
			who.env = slices.DeleteFunc(who.env, isClientSecret)
			f := who.start("--log-level", "debug")
			if r := f.initialize(); r.cause() != "registration_failed" {
				t.Errorf("initialize: %+v", r.Error)
			}
			f.close()
			who.checkSecrets(t, f)
		})
	}
	t.Run("session", func(t *testing.T) {
		who, m := newMarked(t, p), p.mark()
		f := who.start(who.options...).open()
		who.useAll(t, f)
		p.answers(t, map[string]answer{"/token": errorBodies["tokens"]})
		_, answer := f.calling("write")
		q := f.asks()
		f.answer(q, "accept")
		who.visits(q.Params.URL)
		if r := answer(); r.cause() != "token_exchange_failed" {
			t.Errorf("the call that needs more: %+v", r.Error)
		}
		f.close()
		who.checkSecrets(t, f)
		who.checkHeaders(t, m)
		for what, values := range who.secrets() {
			if len(values) == 0 {
				t.Errorf("nothing was looked for: %s", what)
			}
		}
		for _, command := range [][]string{{"status"}, {"status", "--json"}, {"logout", who.url}} {
			args := append(command[:1:1], append([]string{"--token-store", "file", "--log-level", "debug"}, command[1:]...)...)
			if out := who.run(args...); strings.Contains(out, marker) {
				t.Errorf("%s prints %s", command, out)
			}
		}
	})
	t.Run("timeout", func(t *testing.T) {
		who := newMarked(t, p)
		f := who.start(append(who.options, "--sign-in-timeout", "10s")...).open()
		_, answer := f.calling("write")
		f.answer(f.asks(), "accept")
		if r := answer(); r.cause() != "sign_in_timeout" {
			t.Errorf("the call that needs more: %+v", r.Error)
		}
		f.close()
		who.checkSecrets(t, f)
	})
	t.Run("refresh refused", func(t *testing.T) {
		who := newMarked(t, p)
		who.start(who.options...).open().close()
		outlive(t)
		p.do("revokeAccess", nil, nil)
		p.answers(t, map[string]answer{"/token": errorBodies["tokens"]})
		f := who.start(who.options...)
		if r := f.initialize(); r.cause() != "refresh_failed" {
			t.Errorf("initialize: %+v", r.Error)
		}
		f.close()
		who.checkSecrets(t, f)
	})
}

// useAll has secrets pass in both directions.
func (w *marked) useAll(t *testing.T, f *front) {
	t.Helper()
	_, answer := f.request("tools/call", object{"name": "whoami", "arguments": object{"note": marker + "-argument"}})
	answer()
	_, answer = f.request("tools/call", object{"name": marker + "-tool", "arguments": object{}})
	answer()
	_, answer = f.calling("ask")
	f.send(object{"id": f.asks().ID, "result": object{"action": "accept", "content": object{"name": marker + "-content"}}})
	if got := answer().text(); got != "thanks" {
		t.Errorf("answer %s", got)
	}
}

// secrets are all that must not come out, by what they are.
func (w *marked) secrets() map[string][]string {
	given := w.peer.tokens()
	all := map[string][]string{"planted": {marker, "registered-secret", vaultKey}, "access": given.Access, "refresh": given.Refresh}
	for _, a := range w.peer.since(0, "/auth", "/token") {
		for _, name := range []string{"state", "code", "code_verifier"} {
			if s := a.text(name); s != "" {
				all[name] = append(all[name], s)
			}
		}
	}
	var states []string
	w.peer.do("states", nil, &states)
	all["requestState"] = states
	return all
}

// checkSecrets wants no secret anywhere after a session.
func (w *marked) checkSecrets(t *testing.T, f *front) {
	t.Helper()
	secrets := w.secrets()
	check := func(where, text string) {
		lower := strings.ToLower(text)
		for what, values := range secrets {
			for _, s := range values {
				if strings.Contains(lower, strings.ToLower(s)) {
					t.Errorf("%s holds a secret (%s): %s", where, what, text)
				}
			}
		}
	}
	for line := range strings.Lines(f.log.String()) {
		if !strings.HasPrefix(line, "mcp-bridge-vscode: ") {
			t.Errorf("the log has the line %q", line)
		}
		if !strings.HasPrefix(line, linePrefix) {
			check("the log", line)
		}
	}
	for line := range strings.Lines(string(f.output)) {
		if strings.Contains(line, `"error"`) && strings.Contains(line, `"cause"`) {
			check("an error", line)
		}
	}
	w.checkFiles(t, check)
	visits, err := w.visitor.recorded()
	if err != nil {
		t.Fatal(err)
	}
	own := strings.Join(f.cmd.Args, " ") // has the URL, since the person wrote it there
	for _, v := range visits {
		check("what the browser was started with", strings.Join(v.Args, " "))
		check("the environment of the browser", strings.Join(v.Env, "\n"))
		for _, line := range v.Processes {
			if line != own {
				check("the list of processes", line)
			}
		}
	}
}

// checkFiles looks at all that the bridge has written, and at the names of it.
func (w *marked) checkFiles(t *testing.T, check func(where, text string)) {
	t.Helper()
	state := filepath.Join(w.home, "state")
	n := 0
	err := filepath.WalkDir(state, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		check("the name of a file", strings.TrimPrefix(path, state))
		check("the file "+e.Name(), string(text))
		n++
		return err
	})
	if err != nil || n == 0 {
		t.Errorf("%d files, %v", n, err)
	}
}

// checkHeaders wants the headers to have gone to the server that they are for, and to no other.
func (w *marked) checkHeaders(t *testing.T, m mark) {
	t.Helper()
	for _, a := range w.peer.since(m) {
		want := ""
		if a.Server == "resource" && a.Path == "/mcp" {
			want = marker + "-variable"
		}
		if a.Key != want {
			t.Errorf("%s %s has the header %q, want %q", a.Method, a.Path, a.Key, want)
		}
	}
}
