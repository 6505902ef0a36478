package bridge

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
)

// said returns a fault: the server says this, with the id of the request for ID, and keeps
// the connection open.
func said(text string) func(net.Conn, *bufio.Reader, *query) {
	return func(c net.Conn, _ *bufio.Reader, q *query) {
		io.WriteString(c, strings.ReplaceAll(text, "ID", q.id))
		until(c)
	}
}

// A server that speaks HTTP against its rules is told apart from one that is slow: the
// request fails with a cause as soon as that is sure, the next one works, and the session
// ends without waiting for such a connection.
//
// req: U02
func TestT203AgainstTheRulesOfHTTP(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	network := `"data":{"cause":"network"}`
	rows := []struct{ name, text, want string }{
		{"other protocol is switched to", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", `"data":{"cause":"http_status","status":101}`},
		{"other protocol with words", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Type: application/json\r\n\r\n" + anAnswer, `"data":{"cause":"http_status","status":101}`},
		{"informational statuses without end", strings.Repeat("HTTP/1.1 102 Processing\r\nX: "+strings.Repeat("x", 1000)+"\r\n\r\n", 1000), network},
		{"continue that nobody asked for", "HTTP/1.1 100 Continue\r\n\r\n" + ok + "Connection: close\r\nContent-Length: 2\r\n\r\n{}", invalid},
		{"head that is too long", "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: "+strings.Repeat("x", 1000)+"\r\n", 1000), network},
		{"no HTTP", "220 mail.example ESMTP\r\n", network},
		{"two lengths", ok + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x", network},
		{"negative length", ok + "Content-Length: -1\r\n\r\n{}", network},
		{"chunk that is none", ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", closedEarly},
		{"chunk of any length", ok + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}", closedEarly},
		{"coding that nobody knows", ok + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", network},
		{"more than the length", ok + "Content-Length: 2\r\n\r\n{}" + ok + "Content-Length: 2\r\n\r\n{}", invalid},
	}
	faults := make(map[string]func(net.Conn, *bufio.Reader, *query))
	for _, row := range rows {
		faults["tools/call"+row.name] = said(row.text)
	}
	s := newRawSite(t, faults)
	open := descriptors(t)
	in, toBridge := io.Pipe()
	fromBridge, out := io.Pipe()
	k := bridgedOver(t, Config{Upstream: s.remote()}, in, toBridge, fromBridge, out).open()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			k.t = t
			id := k.call(row.name, `{}`)
			if got := k.receive(); !strings.Contains(got, fmt.Sprintf(`"id":%d,"error"`, id)) || !strings.Contains(got, row.want) {
				t.Errorf("got %.300q, want it to hold %q", got, row.want)
			}
			if got := s.count("tools/call" + row.name); got != 1 {
				t.Errorf("the request was sent %d times, want once", got)
			}
			k.wantNext()
		})
	}
	k.t = t
	k.leaveSite()
	wantDescriptors(t, open)
}
