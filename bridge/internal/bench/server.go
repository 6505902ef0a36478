package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
)

// filler is the text of each answer.
const filler = "The quick brown fox jumps over the lazy dog; 0123456789 and more"

// A server is one of revision 2026-07-28 in a process of its own. It does as little as
// it can: its time is in every figure.
type server struct {
	cmd    *exec.Cmd
	in     io.Closer
	kind   kind
	url    string
	roots  *x509.CertPool
	caFile string
}

func startServer(k kind, dir string) *server {
	self, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	s := &server{cmd: exec.Command(self, "-child", k.server), kind: k}
	in, err := s.cmd.StdinPipe()
	if err != nil {
		log.Fatal(err)
	}
	s.in = in
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	s.cmd.Stderr = os.Stderr
	if err := s.cmd.Start(); err != nil {
		log.Fatal(err)
	}
	var ready struct {
		URL string
		CA  []byte
	}
	if err := json.NewDecoder(bufio.NewReader(out)).Decode(&ready); err != nil {
		log.Fatalf("start the server: %v", err)
	}
	s.url = ready.URL
	if k.secure {
		s.roots = x509.NewCertPool()
		s.roots.AppendCertsFromPEM(ready.CA)
		s.caFile = filepath.Join(dir, "ca.pem")
		if err := os.WriteFile(s.caFile, ready.CA, 0o600); err != nil {
			log.Fatal(err)
		}
	}
	return s
}

func (s *server) stop() {
	s.in.Close() // at which it ends
	s.cmd.Wait()
}

// trust is how a client of the server is configured.
func (s *server) trust() *tls.Config {
	c := &tls.Config{RootCAs: s.roots}
	if s.kind.secure && !s.kind.two {
		c.NextProtos = []string{"http/1.1"}
	}
	return c
}

// options are those of a bridge, with the URL.
func (s *server) options() []string {
	if s.kind.secure {
		return []string{"--ca-file", s.caFile, s.url}
	}
	return []string{s.url}
}

// beServer serves until the input ends.
func beServer(kind string) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(serve))
	s.EnableHTTP2 = kind == "http2"
	if kind == "plain" {
		s.Start()
	} else {
		s.StartTLS()
	}
	ready := struct {
		URL string
		CA  []byte
	}{URL: s.URL + "/mcp"}
	if c := s.Certificate(); c != nil {
		ready.CA = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
	}
	if err := json.NewEncoder(os.Stdout).Encode(ready); err != nil {
		log.Fatal(err)
	}
	io.Copy(io.Discard, os.Stdin)
}

const (
	known = `"resultType":"complete","ttlMs":0,"cacheScope":"private"`

	discovered = `{` + known + `,"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},` +
		`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"1"}}}`
	tools  = `{` + known + `,"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}]}`
	called = `{"resultType":"complete","content":[{"type":"text","text":"` + filler + `"}],"isError":false}`
)

// serve answers one request, by its method in the header.
func serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	result := ""
	switch r.Header.Get("Mcp-Method") {
	case "tools/call":
		result = called
	case "tools/list":
		result = tools
	case "server/discover":
		result = discovered
	default:
		w.WriteHeader(http.StatusNotFound)
		return
	}
	answer := append(make([]byte, 0, 512), `{"jsonrpc":"2.0","id":`...)
	answer = append(append(answer, idOf(body)...), `,"result":`...)
	answer = append(append(answer, result...), '}')
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(answer)))
	w.Write(answer)
}

// idOf returns the raw id of a request, which is a number or a string without escapes.
func idOf(body []byte) []byte {
	_, rest, _ := bytes.Cut(body, []byte(`"id":`))
	if len(rest) > 0 && rest[0] == '"' {
		return rest[:bytes.IndexByte(rest[1:], '"')+2]
	}
	return rest[:max(0, bytes.IndexAny(rest, ",}"))]
}
