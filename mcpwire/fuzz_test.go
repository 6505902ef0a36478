package mcpwire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

var zeroTime time.Time

// FuzzSession gives a session any lines from both sides, and keeps shapes back. Whatever comes, what it
// writes is one JSON value a line, and no member of 2026-07-28 alone stands at the
// top of a result for the front.
func FuzzSession(f *testing.F) {
	f.Add("F" + listTools + "\nU" + `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a","inputSchema":{"required":true}},null],"ttlMs":1,"nextCursor":null}}`)
	f.Add("F" + callTool + "\nU" + `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"progressToken":1},"structuredContent":[1]}}`)
	f.Add("F" + readMemo + "\nU" + `{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"data":{"uri":"memo:\/\/one"}}}`)
	f.Add("F" + getPrompt + "\nU" + `{"jsonrpc":"2.0","id":2,"result":{"messages":[{"content":{"type":"x"}}]}}`)
	f.Add("F" + initialize + "\nU{}\nF[]\nF{\"jsonrpc\":\"2.0\",\"id\":1.5}")
	f.Add("hold\nF" + listTools + "\nU" + `{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}` + "\nF" + listTools + "\nlost upstream_exited\ncommit\nF" + listTools)
	f.Add("F" + `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}}` + "\nU" + `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":{"k\n":"\u001b\u0085"},"logger":"\u007f"}}`)
	f.Add("F" + `{"jsonrpc":"2.0","id":1,"method":"resources/list"}` + "\nU" + `{"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"mem:a%2Fb"}]}}` + "\nF" + `{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"mem://dylo78gypa/b"}}` + "\nU" + `{"jsonrpc":"2.0","id":3,"result":{"contents":[{"uri":"mem:a%2Fb","text":""}]}}`)
	f.Add("U" + `{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}` + "\nF" + `{"jsonrpc":"2.0","id":"b-1","result":{"action":"accept"}}`)
	f.Add("F" + callTool + "\nU" + `{"jsonrpc":"2.0","id":2,"error":{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","elicitationId":"e","url":"https://a.example/"}]}}}`)
	f.Add("F[" + callTool + "," + strings.Replace(listTools, "7", "8", 1) + "]\nU[" + `{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"audio"}],"structuredContent":{}}},{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"t","title":"T"}]}}` + "]\nlost upstream_exited")
	f.Add("F" + callTool + "\nU" + `{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string","oneOf":[{"const":"x","title":"X"}],"default":"x"}}}}}}}}`)
	f.Fuzz(func(t *testing.T, script string) {
		for _, p := range []*player{
			opened(t, Options{}), opened(t, Options{Profile: VSCode}),
			openedAs(t, Options{}, Revision20250618, frontCan), openedAs(t, Options{Profile: VSCode}, Revision20250326, frontCan),
			openedLegacy(t, Options{}, Revision20250326), openedLegacy(t, Options{}, Revision20251125), openedLegacy(t, Options{Profile: VSCode}, Revision20241105),
		} {
			for line := range strings.SplitSeq(script, "\n") {
				switch text := line[min(1, len(line)):]; {
				case strings.HasPrefix(line, "F"):
					p.fuzzLine(Front, text)
				case strings.HasPrefix(line, "U"):
					p.fuzzLine(Upstream, text)
				case line == "hold" || line == "commit" || line == "lost upstream_exited":
					var out Steps
					p.event(line, &out)
					p.carryOut(&out)
				}
			}
		}
	})
}

func (p *player) fuzzLine(side Side, text string) {
	if strings.TrimRight(text, "\r \t") == "" {
		return // a blank line is none
	}
	var out Steps
	p.line(side, text, &out)
	p.carryOut(&out)
	for _, line := range p.wrote {
		p.checkFront(line)
	}
	p.wrote = nil
}

// checkFront checks a line that was written to the front.
func (p *player) checkFront(line string) {
	p.t.Helper()
	text, ok := strings.CutPrefix(line, "F< ")
	if !ok {
		return
	}
	m, err := jsonrpc.Parse([]byte(text), &jsonrpc.ReaderOptions{Members: Members(), MaxDepth: 512, AllowLoneSurrogates: true})
	if err != nil {
		if e := err.(*jsonrpc.LineError); e.Fault != jsonrpc.FaultShape { // an error without a usable id
			p.t.Errorf("wrote a bad line (%v): %s", err, text)
		}
		return
	}
	if m.Kind != jsonrpc.KindResponse {
		return
	}
	for _, mem := range []member{memResultType, memTTL, memCacheScope, memInputRequests, memRequestState} {
		if !m.Member(int(mem)).IsZero() {
			p.t.Errorf("%s reached the front: %s", memberNames[mem], text)
		}
	}
	if !json.Valid([]byte(text)) || bytes.ContainsAny([]byte(text), "\n") {
		p.t.Errorf("not one JSON value: %s", text)
	}
}
