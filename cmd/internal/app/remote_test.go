package app

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// A site is a server at a URL. Its tools do what their names say.
type site struct {
	*httptest.Server
	mu   sync.Mutex // guards the field below
	seen []http.Header
}

func newSite(t *testing.T) *site {
	s := &site{}
	s.start(t, http.HandlerFunc(s.serve))
	return s
}

func (s *site) start(t *testing.T, h http.Handler) {
	s.Server = httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
}

var idPattern = regexp.MustCompile(`"id":(\d+)`)

func (s *site) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.seen = append(s.seen, r.Header)
	s.mu.Unlock()
	result := `"content":[{"type":"text","text":"m4rk3r-result"}]`
	switch r.Header.Get("Mcp-Method") {
	case "server/discover":
		result = `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{},"logging":{}},"ttlMs":0,"cacheScope":"private",` +
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"site\u001b[31m","version":"7"}}`
	case "tools/list":
		result = `"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"list":{"type":"array"}}}},{"name":"b","inputSchema":{"type":"object"}},{"noname":1}],"ttlMs":0,"cacheScope":"private"`
	case "resources/list":
		result = `"resources":[],"ttlMs":0,"cacheScope":"private"`
	case "resources/templates/list":
		result = `"resourceTemplates":[],"ttlMs":0,"cacheScope":"private"`
	case "prompts/list":
		result = `"prompts":[{"name":"p"}],"ttlMs":0,"cacheScope":"private"`
	}
	switch r.Header.Get("Mcp-Name") {
	case "status":
		w.Header().Set("X-Say", "m4rk3r")
		http.Error(w, "m4rk3r", http.StatusTeapot)
		return
	case "redirect":
		http.Redirect(w, r, "https://m4rk3r.example/m4rk3r", http.StatusFound)
		return
	case "break":
		panic(http.ErrAbortHandler)
	case "junk":
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: m4rk3r\n\nid: m4rk3r\nretry: m4rk3r\n: m4rk3r\n\n")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Set-Cookie", "m4rk3r=m4rk3r")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete",%s}}`, idPattern.FindSubmatch(body)[1], result)
}

// heads returns the heads of the requests.
func (s *site) heads() []http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

// markedArgs are options with a marker in each place where there may be a secret.
func (s *site) markedArgs(t *testing.T, options ...string) []string {
	dir := t.TempDir()
	headers, ca := filepath.Join(dir, "m4rk3r-headers"), filepath.Join(dir, "m4rk3r-ca")
	if err := os.WriteFile(headers, []byte("X-File: m4rk3r-file\n\nX-Other:m4rk3r-other\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(ca, cert, 0o644); err != nil {
		t.Fatal(err)
	}
	args := append(options, "--log-level", "debug", "--header", "X-Arg: m4rk3r-arg", "--header-env", "Authorization=M4RK3R_VARIABLE",
		"--header-file", headers)
	if len(options) == 0 || options[len(options)-1] != "no CA" {
		return append(args, "--ca-file", ca, s.URL+"/m4rk3r-path?key=m4rk3r-query")
	}
	return append(args[1:], s.URL+"/m4rk3r-path?key=m4rk3r-query")
}

var markedEnv = []string{"M4RK3R_VARIABLE=Bearer m4rk3r-token", "MCP_BRIDGE_TOKEN_KEY=" + s3cretKey}

// converse runs a session of an editor that sends the lines, one after another's answer.
func converse(t *testing.T, env, args []string, lines ...string) (answers []string, stderr string, err error) {
	t.Helper()
	in, toBridge := io.Pipe()
	fromBridge, out := io.Pipe()
	var errs strings.Builder
	done := make(chan error, 1)
	go func() {
		err := Run(context.Background(), args, env, in, out, &errs)
		out.Close()
		in.Close() // whoever writes to it may be waiting
		done <- err
	}()
	buf := make([]byte, 1<<20)
	for _, line := range lines {
		io.WriteString(toBridge, line+"\n")
		if !strings.Contains(line, `"id"`) {
			continue
		}
		n, err := fromBridge.Read(buf)
		if err != nil {
			break
		}
		answers = append(answers, string(buf[:n]))
	}
	toBridge.Close()
	io.Copy(io.Discard, fromBridge)
	err = <-done
	return answers, errs.String(), err
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"e","version":"1"}}}`

func call(id int, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"a":"m4rk3r-argument"}}}`, id, tool)
}

// A server at a URL gets what the options say, and of all that nothing comes out.
//
// req: P04 P06 P13 U15
func TestP13URLForm(t *testing.T) {
	s := newSite(t)
	answers, stderr, err := converse(t, markedEnv, s.markedArgs(t), initialize, `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		call(1, "echo"), call(2, "status"), call(3, "redirect"), call(4, "break"), call(5, "junk"), call(6, "echo"))
	if err != nil || len(answers) != 7 {
		t.Fatalf("Run = %v with %d answers\n%s", err, len(answers), stderr)
	}
	for i, want := range []string{`"result"`, "m4rk3r-result", `"cause":"http_status","status":418`, `"cause":"redirect","status":302`, `"cause":"network"`, `"cause":"upstream_closed"`, "m4rk3r-result"} {
		if !strings.Contains(answers[i], want) {
			t.Errorf("answer %d = %s, want it to hold %s", i, answers[i], want)
		}
		if strings.Contains(answers[i], `"error"`) {
			noMarker4(t, "an error", answers[i])
		}
	}
	noMarker4(t, "stderr", stderr)
	want := map[string]string{"X-Arg": "m4rk3r-arg", "Authorization": "Bearer m4rk3r-token", "X-File": "m4rk3r-file", "X-Other": "m4rk3r-other"}
	for _, h := range s.heads() {
		for name, value := range want {
			if got := strings.Join(h[name], "|"); got != value {
				t.Errorf("%s = %q, want %q", name, got, value)
			}
		}
	}
}

// Nor does it when there is no session.
//
// req: P04 P18 U05
func TestP04NoSessionWithAURL(t *testing.T) {
	s := newSite(t)
	args := s.markedArgs(t, "no CA")
	answers, stderr, err := converse(t, markedEnv, args, initialize)
	if err != nil || len(answers) != 1 || !strings.Contains(answers[0], `"cause":"tls"`) {
		t.Errorf("Run = %v with %q", err, answers)
	}
	noMarker4(t, "an error", strings.Join(answers, ""))
	noMarker4(t, "stderr", stderr)
	if !strings.Contains(stderr, "--ca-file") {
		t.Errorf("stderr = %s, want what helps", stderr)
	}
	env := append(markedEnv, "HTTPS_PROXY=http://m4rk3r:m4rk3r@127.0.0.1:1")
	args[len(args)-1] = "https://m4rk3r.example/m4rk3r?m4rk3r"
	answers, stderr, err = converse(t, env, args, initialize)
	if err != nil || len(answers) != 1 || !strings.Contains(answers[0], `"cause":"proxy"`) {
		t.Errorf("Run = %v with %q", err, answers)
	}
	noMarker4(t, "stderr and an error", stderr+strings.Join(answers, ""))
}

func noMarker4(t *testing.T, where, text string) {
	t.Helper()
	if strings.Contains(text, "m4rk3r") || strings.Contains(text, "M4RK3R_VARIABLE=") {
		t.Errorf("%s holds a marker: %s", where, text)
	}
}

// check says what a session with a server is like, and nothing that must not be in the
// report of a bug.
//
// req: P04 P13 X06
func TestP13Check(t *testing.T) {
	s := newSite(t)
	code, stdout, stderr := runWith(t, markedEnv, append([]string{"check"}, s.markedArgs(t)...))
	want := `^reached   ` + regexp.QuoteMeta(s.URL) + `
revision  2026-07-28 \(server/discover\)
server    site\?\[31m 7
sign-in   not needed
features  tools 2, resources 0, resourceTemplates 0, prompts 1, logging
(dropped   [A-Z]\d+ tools/list 1: .*\n)?repaired  T80 tools/list 1: .*
(dropped   [A-Z]\d+ tools/list 1: .*\n)?times     initialize [0-9a-zµ.]+, tools/list [0-9a-zµ.]+, resources/list [0-9a-zµ.]+, resources/templates/list [0-9a-zµ.]+, prompts/list [0-9a-zµ.]+
result    ok
$`
	if code != exitOK || !regexp.MustCompile(want).MatchString(stdout) {
		t.Errorf("check = code %d, stdout:\n%s\nwant it to match:\n%s\nstderr: %s", code, stdout, want, stderr)
	}
	noMarker4(t, "the report", stdout+stderr)
}

// req: P04 P13 X06
func TestP13CheckOfWhatDoesNotWork(t *testing.T) {
	s := newSite(t)
	for _, tt := range []struct {
		name, want string
		args       []string
	}{
		{"unknown authority", "tls", s.markedArgs(t, "no CA")},
		{"nobody there", "network", []string{"https://127.0.0.1:1/m4rk3r"}},
		{"no server of MCP", "http_status 404", []string{notFound(t) + "/m4rk3r"}},
		{"command that is none", "upstream_exited", []string{"--", "m4rk3r-no-such-command"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := runWith(t, markedEnv, append([]string{"check"}, tt.args...))
			if code != exitFailure || !strings.HasSuffix(stdout, "\nresult    "+tt.want+"\n") || strings.Contains(stdout, "reached") {
				t.Errorf("check = code %d, stdout:\n%s\nstderr: %s", code, stdout, stderr)
			}
			noMarker4(t, "the report", stdout+stderr)
		})
	}
}

// notFound starts a server of HTTP that knows nothing.
func notFound(t *testing.T) (url string) {
	s := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	return s.URL
}

// Nothing in the environment turns a check off.
//
// req: P11
func TestP11NoVariableWeakensACheck(t *testing.T) {
	s := newSite(t)
	env := append(markedEnv, "NODE_TLS_REJECT_UNAUTHORIZED=0", "PYTHONHTTPSVERIFY=0", "GIT_SSL_NO_VERIFY=1", "SSL_VERIFY=false", "INSECURE=1",
		"MCP_BRIDGE_INSECURE=1", "MCP_BRIDGE_ALLOW_HTTP=1", "ALLOW_HTTP=1", "HTTP_PROXY="+s.URL, "CURL_CA_BUNDLE=", "REQUESTS_CA_BUNDLE=")
	answers, _, err := converse(t, env, s.markedArgs(t, "no CA"), initialize)
	if err != nil || len(answers) != 1 || !strings.Contains(answers[0], `"cause":"tls"`) || len(s.heads()) != 0 {
		t.Errorf("Run = %v with %q, want cause tls", err, answers)
	}
	if code, _, stderr := runWith(t, env, []string{"http://example.com/"}); code != exitUsage {
		t.Errorf("http to another machine: code %d, %s", code, stderr)
	}
}

// Each option of a URL reaches the bridge.
//
// req: X05
func TestX05OptionsReachTheBridge(t *testing.T) {
	s := newSite(t)
	args := s.markedArgs(t, "--connect-timeout", "7", "--idle-timeout", "8m", "--max-response-bytes", "9KiB", "--redirects", "none")
	set := defaults()
	fs := set.flags(name)
	url := args[len(args)-1]
	if err := fs.Parse(args[:len(args)-1]); err != nil {
		t.Fatal(err)
	}
	p := &process{env: append(markedEnv, "HTTPS_PROXY=http://proxy.example", "no_proxy=a", "PATH=/bin")}
	target, err := p.readServer(fs, set, []string{url}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := target.remote
	if r.Connect != 7*time.Second || r.Idle != 8*time.Minute || r.Response != 9<<10 || !r.RefuseRedirects || r.URL.Expose() != url ||
		len(r.Headers) != 4 || len(r.CA) == 0 || strings.Join(r.Proxy, " ") != "HTTPS_PROXY=http://proxy.example no_proxy=a" {
		t.Errorf("the bridge gets %+v", r)
	}
	noMarker4(t, "what the bridge gets, printed,", fmt.Sprintf("%+v %#v", *r, target))
}

// And does what it says there.
//
// req: X05
func TestX05Limits(t *testing.T) {
	s := newSite(t)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, tt := range []struct {
		name, want string
		args       []string
	}{
		{"time to connect", "network", []string{"--connect-timeout", "0.1", "https://" + silent.Addr().String() + "/"}},
		{"size of a response", "response_too_large", s.markedArgs(t, "--max-response-bytes", "100")},
		{"size that is enough", "ok", s.markedArgs(t, "--max-response-bytes", "1000")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, stdout, stderr := runWith(t, markedEnv, append([]string{"check"}, tt.args...))
			if !strings.HasSuffix(stdout, "result    "+tt.want+"\n") {
				t.Errorf("check says %s\nstderr: %s", stdout, stderr)
			}
		})
	}
}
