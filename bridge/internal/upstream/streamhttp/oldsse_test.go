package streamhttp

import (
	"bufio"
	"io"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
)

// The first event of a stream of 2024-11-05 says where to send messages; that has to be at
// the same origin (L2), and nothing else may come first.
//
// req: U11
func TestL2Endpoint(t *testing.T) {
	const origin = "https://a.example/base/sse?k=1"
	for _, tt := range []struct{ name, stream, want string }{
		{"an absolute path", "event: endpoint\ndata: /messages?sessionId=1\n\n", "https://a.example/messages?sessionId=1"},
		{"a relative path", "event: endpoint\ndata: messages\n\n", "https://a.example/base/messages"},
		{"a URL", "event: endpoint\ndata: https://a.example:443/m\n\n", "https://a.example:443/m"},
		{"a URL in capitals", "event: endpoint\ndata: HTTPS://A.Example/m\n\n", "https://A.Example/m"},
		{"a fragment", "event: endpoint\ndata: /m#x\n\n", "https://a.example/m"},
		{"behind comments, and blank lines", ": hi\n\nevent: other\n\n: there\nevent:endpoint\nid: 1\ndata:/m\n\n", "https://a.example/m"},
		{"line endings of two bytes", "event: endpoint\r\ndata: /m\r\n\r\n", "https://a.example/m"},
		{"line endings of one byte", "event: endpoint\rdata: /m\r\r", "https://a.example/m"},
		{"a byte order mark", "\uFEFFevent: endpoint\ndata: /m\n\n", "https://a.example/m"},
		{"in the other order", "data: /m\nevent: endpoint\n\n", "https://a.example/m"},
		{"another host", "event: endpoint\ndata: https://b.example/m\n\n", ""},
		{"another host without a scheme", "event: endpoint\ndata: //b.example/m\n\n", ""},
		{"another port", "event: endpoint\ndata: https://a.example:444/m\n\n", ""},
		{"another scheme", "event: endpoint\ndata: http://a.example/m\n\n", ""},
		{"no scheme of the web", "event: endpoint\ndata: data:text/plain,x\n\n", ""},
		{"a user", "event: endpoint\ndata: https://u:p@a.example/m\n\n", ""},
		{"a backslash", "event: endpoint\ndata: \\\\b.example/m\n\n", ""},
		{"a blank", "event: endpoint\ndata: /m x\n\n", ""},
		{"nothing", "event: endpoint\ndata:\n\n", ""},
		{"a message first", "data: {}\n\nevent: endpoint\ndata: /m\n\n", ""},
		{"too long", "event: endpoint\ndata: /" + strings.Repeat("m", endpointMax) + "\n\n", ""},
		{"comments without end", strings.Repeat(": hi\n\n", endpointMax), ""},
		{"no end", "event: endpoint\ndata: /m\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from, err := url.Parse(origin)
			if err != nil {
				t.Fatal(err)
			}
			const rest = "data: 1\n\n"
			in := bufio.NewReader(iotest.OneByteReader(strings.NewReader(tt.stream + rest)))
			if tt.name == "no end" {
				in = bufio.NewReader(strings.NewReader(tt.stream))
			}
			got, text := endpointIn(in, from, from), ""
			if got != nil {
				text = got.String()
			}
			if text != tt.want {
				t.Errorf("endpoint %q, want %q", text, tt.want)
			}
			if left, _ := io.ReadAll(in); tt.want != "" && strings.TrimPrefix(string(left), "\n") != rest {
				t.Errorf("left %q, want %q", left, rest)
			}
		})
	}
}
