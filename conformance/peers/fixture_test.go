package peers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/conformance/fixture"
	"github.com/trestle-mcp/trestle/conformance/internal/official"
	"github.com/trestle-mcp/trestle/conformance/internal/wire"
	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// The server of our own behind a bridge has to be one of its revision, or the
// tests with it prove nothing.
func TestFixtureIsValid(t *testing.T) {
	kit := preparedKit(t)
	file, err := os.Open(filepath.Join("..", "testdata", "opening.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	server, err := fixture.Recorded(file)
	if err != nil {
		t.Fatal(err)
	}
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	var requests, answers strings.Builder
	for i, request := range [][2]string{
		{"server/discover", ""},
		{"prompts/list", ""},
		{"tools/list", ""},
		{"tools/list", `"cursor":"p2",`},
		{"tools/list", `"cursor":"none",`},
		{"tools/call", `"name":"echo","arguments":{"text":"hi"},`},
		{"completion/complete", `"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":""},`},
	} {
		fmt.Fprintf(&requests, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s%s}}`+"\n", i, request[0], request[1], meta)
	}
	if err := server.Serve(strings.NewReader(requests.String()), &answers); err != nil {
		t.Fatal(err)
	}

	rev, err := official.Load(kit.Schemas(), run.UpstreamRevision)
	if err != nil {
		t.Fatal(err)
	}
	c := official.NewConversation(rev)
	judge := func(dir wire.Dir, lines string) {
		for line := range strings.Lines(lines) {
			if err := c.Judge(dir, []byte(strings.TrimSuffix(line, "\n"))); err != nil {
				t.Errorf("%s %s%v", dir, line, err)
			}
		}
	}
	judge(wire.ToServer, requests.String())
	judge(wire.ToClient, answers.String())
	if left := c.Unanswered(wire.ToServer); len(left) > 0 {
		t.Errorf("no answer to %v", left)
	}
}
