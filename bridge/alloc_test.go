package bridge

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// A loop is a server that answers each line without allocating: as the answer to
// the id it finds there.
type loop struct {
	in, out  *io.PipeReader
	toServer *io.PipeWriter
	toBridge *io.PipeWriter
}

func newLoop() *loop {
	l := &loop{}
	l.in, l.toServer = io.Pipe()
	l.out, l.toBridge = io.Pipe()
	return l
}

func (l *loop) Read(p []byte) (int, error)  { return l.out.Read(p) }
func (l *loop) Write(p []byte) (int, error) { return l.toServer.Write(p) }

func (l *loop) Close() error {
	l.toServer.Close()
	return l.out.Close()
}

func (l *loop) serve() {
	defer l.toBridge.Close()
	line := make([]byte, 64<<10)
	answer := make([]byte, 0, 1024)
	for {
		n, err := l.in.Read(line)
		if err != nil {
			return
		}
		_, rest, _ := bytes.Cut(line[:n], []byte(`"id":`))
		id, _, _ := bytes.Cut(rest, []byte{','})
		answer = append(answer[:0], `{"jsonrpc":"2.0","id":`...)
		answer = append(answer, id...)
		answer = append(answer, `,"result":{"resultType":"complete",`...)
		if bytes.Contains(line[:n], []byte("server/discover")) {
			answer = append(answer, `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`...)
		} else {
			answer = append(answer, `"content":[{"type":"text","text":"done"}],"isError":false}}`...)
		}
		if _, err := l.toBridge.Write(append(answer, '\n')); err != nil {
			return
		}
	}
}

// A forwarded call and its answer allocate nothing once a session is warm.
func TestForwardedCallAllocatesNothing(t *testing.T) {
	l := newLoop()
	go l.serve()
	in, toBridge := io.Pipe()
	fromBridge, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Run(t.Context(), Config{Front: Stdio{in, out}, Upstream: Link{l}}) }()

	buf := make([]byte, 64<<10)
	exchange := func(line []byte) []byte {
		if _, err := toBridge.Write(line); err != nil {
			t.Fatal(err)
		}
		n, err := fromBridge.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		return buf[:n]
	}
	exchange([]byte(initialize + "\n"))
	for _, size := range []int{5, 5_000, 50_000} {
		call := []byte(callLine(7, "echo", `{"text":"`+strings.Repeat("x", size)+`","n":12345678901234567890}`) + "\n")
		if got, want := string(exchange(call)), `"text":"done"`; !strings.Contains(got, want) {
			t.Fatalf("answer = %s, want %s", got, want)
		}
		for range 1000 {
			exchange(call)
		}
		if got := testing.AllocsPerRun(1000, func() { exchange(call) }); got != 0 {
			t.Errorf("allocations for a call with %d bytes of arguments = %v, want 0", size, got)
		}
	}
	toBridge.Close()
	if err := <-done; err != nil {
		t.Errorf("Run = %v, want nil", err)
	}
}
