//go:build unix

package app

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// One consent, by a real browser process, which gets no secret; then none for the next
// session. The URL stands in one line of stderr, and no secret in any other.
//
// req: S03 S04 S13 V01 P04 P06
func TestS03SignIn(t *testing.T) {
	s := newLockedSite(t)
	p := newPerson(t, s)
	left := leftOpen(t)
	answers, stderr, err := converse(t, p.env, p.args(t, "--account", "work"), initialize, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, call(1, "echo"))
	if err != nil || len(answers) != 2 || !strings.Contains(answers[1], "m4rk3r-result") {
		t.Fatalf("Run = %v with %q\n%s", err, answers, stderr)
	}
	u, others := signInLine(t, stderr)
	if !strings.HasPrefix(u, s.URL+"/authorize?") {
		t.Errorf("the URL shown is %q", u)
	}
	noMarker4(t, "stderr", strings.ReplaceAll(others, s.URL, ""))
	for _, want := range []string{
		name + ": INFO token store: file\n", name + ": INFO signed in",
		name + ": INFO waiting up to 300s for the sign-in; --sign-in-timeout changes that, --no-browser opens nothing\n",
	} {
		if strings.Count(stderr, want) != 1 {
			t.Errorf("stderr = %s\nwant once: %s", stderr, want)
		}
	}
	v := p.visits(t, 1)[0]
	if len(v.Args) != 1 || !strings.HasPrefix(v.Args[0], "http://127.0.0.1:") || !strings.Contains(v.Args[0], "/start/") {
		t.Errorf("the browser was given %q", v.Args)
	}
	if env := strings.Join(v.Env, "\n"); strings.Contains(env, "MCP_BRIDGE_") || strings.Contains(env, "m4rk3r") || variable(v.Env, "VSCODE_IPC_HOOK_CLI") != "kept" {
		t.Errorf("the environment of the browser is %q", v.Env)
	}
	for fd, to := range v.Files {
		if to == left {
			t.Errorf("descriptor %s of the browser leads to what the bridge was started with", fd)
		}
	}

	answers, stderr, err = converse(t, p.env, p.args(t, "--account", "work"), initialize)
	if u, _ := signInLine(t, stderr); err != nil || len(answers) != 1 || !strings.Contains(answers[0], `"result"`) || u != "" {
		t.Errorf("the second session: %v with %q\n%s", err, answers, stderr)
	}
	if n := s.paths("/authorize"); n != 1 {
		t.Errorf("%d consents, want 1", n)
	}
}

// leftOpen opens a file as whoever starts the bridge may have, without close-on-exec, and
// returns its path.
func leftOpen(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "left open")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	return path
}

// A sign-in is shown and deleted, and the URL and the account alone say which.
//
// req: V05 X06 P13
func TestX06StatusAndLogout(t *testing.T) {
	s := newLockedSite(t)
	p := newPerson(t, s)
	for _, account := range []string{"a", "b"} {
		code, stdout, stderr := runWith(t, p.env, append([]string{"check"}, p.args(t, "--account", account)...))
		if code != exitOK || !strings.Contains(stdout, "\nsign-in   done now\n") {
			t.Fatalf("check = code %d, %s\n%s", code, stdout, stderr)
		}
	}
	_, stdout, stderr := runWith(t, p.env, append([]string{"check"}, p.args(t, "--account", "b")...))
	if !strings.Contains(stdout, "\nsign-in   stored\n") {
		t.Errorf("the second check = %s\n%s", stdout, stderr)
	}
	s.Close() // from here on nobody can be asked

	wantStatus(t, p, exitOK, "a", "b")
	_, stdout, _ = runWith(t, p.env, p.of("status", "--json", "--account", "a"))
	if lines := strings.Split(strings.TrimSpace(stdout), "\n"); len(lines) != 2 || !statusJSON.MatchString(lines[1]) {
		t.Errorf("status --json = %s", stdout)
	}
	none := "there is no sign-in to delete for this URL and account; " + name + " status shows what there is\n"
	for _, tt := range []struct{ account, want string }{{"a", "the sign-in is deleted\n"}, {"a", none}, {"c", none}} {
		code, stdout, stderr := runWith(t, p.env, p.of("logout", "--account", tt.account, s.URL+"/m4rk3r?m4rk3r"))
		if code != exitOK || stdout != tt.want || stderr != "" {
			t.Errorf("logout of %s = code %d, %q, %q; want %q", tt.account, code, stdout, stderr, tt.want)
		}
	}
	wantStatus(t, p, exitOK, "b")
	code, stdout, stderr := runWith(t, p.env, p.of("logout", "--all"))
	if code != exitOK || stdout != "records deleted: 3\n" || stderr != "" { // the sign-in of b, and a client for each port
		t.Errorf("logout --all = code %d, %q, %q", code, stdout, stderr)
	}
	wantStatus(t, p, exitOK)
}

// What the options say is what the authorization server is asked for, and the secret of a
// client goes to its token endpoint alone.
//
// req: X03 P07 S07 P04
func TestX03AskedFor(t *testing.T) {
	s := newLockedSite(t)
	resource := s.URL + "/m4rk3r"
	for _, tt := range []struct {
		name    string
		options []string
		env     string
		want    map[string]string // of the authorization request
		token   map[string]string // of the token request
	}{
		{"nothing", nil, "", map[string]string{"client_id": "m4rk3r-client", "scope": "read", "resource": resource}, map[string]string{"resource": resource}},
		{"scopes", []string{"--scope", "b c", "--scope", "d"}, "", map[string]string{"scope": "b c d read"}, nil},
		{"resource", []string{"--resource", s.URL}, "", map[string]string{"resource": s.URL}, map[string]string{"resource": s.URL}},
		{"no resource", []string{"--no-resource-parameter", "--client-issuer", s.URL}, "", map[string]string{"resource": ""}, map[string]string{"resource": ""}},
		{"document", []string{"--client-metadata-url", "https://c.example/c"}, "", map[string]string{"client_id": "https://c.example/c"}, map[string]string{"client_id": "https://c.example/c"}},
		{"client", []string{"--client-id", "mine"}, "", map[string]string{"client_id": "mine", "client_secret": ""}, map[string]string{"client_id": "mine", "client_secret": ""}},
		{"client with a secret", []string{"--client-id", "mine", "--client-issuer", s.URL}, "MCP_BRIDGE_CLIENT_SECRET=m4rk3r-secret",
			map[string]string{"client_id": "mine", "client_secret": ""}, map[string]string{"client_id": "mine", "client_secret": "m4rk3r-secret"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPerson(t, s)
			args := p.args(t, tt.options...)
			code, stdout, stderr := runWith(t, append(p.env, tt.env), append([]string{"check"}, args...))
			if code != exitOK || !strings.Contains(stdout, "\nsign-in   done now\n") {
				t.Fatalf("check = code %d, %s\n%s", code, stdout, stderr)
			}
			_, others := signInLine(t, stderr)
			noMarker4(t, "stderr", strings.ReplaceAll(others, s.URL, ""))
			port := args[slices.Index(args, "--redirect-port")+1]
			wantForm(t, s.form("/authorize"), tt.want)
			wantForm(t, s.form("/authorize"), map[string]string{"redirect_uri": "http://127.0.0.1:" + port + "/callback"})
			wantForm(t, s.form("/token"), tt.token)
		})
	}
}

// wantForm looks at parameters; of scopes the order does not count.
func wantForm(t *testing.T, form url.Values, want map[string]string) {
	t.Helper()
	for key, value := range want {
		got := form.Get(key)
		if key == "scope" {
			words := strings.Fields(got)
			slices.Sort(words)
			got = strings.Join(words, " ")
		}
		if got != value {
			t.Errorf("%s = %q, want %q", key, got, value)
		}
	}
}

// A client id of another authorization server is refused, and nobody is asked.
//
// req: P07
func TestP07ClientOfAnotherIssuer(t *testing.T) {
	s := newLockedSite(t)
	p := newPerson(t, s)
	code, stdout, stderr := runWith(t, append(p.env, "MCP_BRIDGE_CLIENT_SECRET=m4rk3r-secret"),
		append([]string{"check"}, p.args(t, "--client-id", "mine", "--client-issuer", "https://other.example")...))
	if u, _ := signInLine(t, stderr); code != exitFailure || !strings.HasSuffix(stdout, "result    issuer_not_registered\n") || u != "" || s.paths("/authorize")+s.paths("/token") != 0 {
		t.Errorf("check = code %d, %s\n%s", code, stdout, stderr)
	}
}
