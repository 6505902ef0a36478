//go:build unix

package conformance

import (
	"bufio"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

// An editor may ask the bridge and the server to end at the same time, each of them or
// the bridge with its group. An answer that is on its way still comes out.
//
// req: P19
func TestAnswersOutliveSIGTERMToTheTree(t *testing.T) {
	bridge, child := built(t)
	for _, server := range []struct {
		name, mode string
		// onItsWay returns when the answer is.
		onItsWay func(t *testing.T, e *editor, log *bufio.Reader)
	}{
		{"server that has answered and dies", "sized", func(t *testing.T, e *editor, _ *bufio.Reader) {
			if _, err := e.out.Peek(1); err != nil {
				t.Fatal(err)
			}
		}},
		{"server that finishes its work", "late", func(t *testing.T, _ *editor, log *bufio.Reader) {
			for line := ""; !strings.Contains(line, "waiting"); {
				var err error
				if line, err = log.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
		}},
	} {
		for _, ask := range []struct {
			name string
			whom func(bridge, child int) []int
		}{
			{"bridge first", func(bridge, child int) []int { return []int{bridge, child} }},
			{"server first", func(bridge, child int) []int { return []int{child, bridge} }},
			{"groups", func(bridge, child int) []int { return []int{-bridge, -child} }},
		} {
			t.Run(server.name+"/"+ask.name, func(t *testing.T) {
				observer := observe(t)
				editor := prepare(t, bridge, "--", child, "--observer", observer.address(), server.mode)
				editor.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
				log := logOf(t, editor)
				editor.start(t)
				pid := observer.started(t).PID
				editor.send(t, []byte(plainInitialize))
				editor.answer(t, "1")
				editor.send(t, []byte(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"text","arguments":{"bytes":200000}}}`))
				server.onItsWay(t, editor, log)
				go io.Copy(io.Discard, log)
				for _, who := range ask.whom(editor.cmd.Process.Pid, pid) {
					if err := syscall.Kill(who, syscall.SIGTERM); err != nil && err != syscall.ESRCH { // it may be gone by then
						t.Fatal(err)
					}
				}
				if got, want := string(editor.answer(t, "2")), strings.Repeat("x", 200_000); !strings.Contains(got, want) {
					t.Errorf("answer of %d bytes %.200s", len(got), got)
				}
				rest, _ := io.ReadAll(editor.out)
				editor.cmd.Wait() // the code is 1 where the server was first
				if len(rest) > 0 {
					t.Errorf("more output: %s", rest)
				}
				observer.gone(t)
			})
		}
	}
}

// logOf returns what the bridge of an editor will write to standard error. It must be
// read to its end.
func logOf(t *testing.T, e *editor) *bufio.Reader {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.Close()
		r.Close()
	})
	e.cmd.Stderr = w
	return bufio.NewReader(io.TeeReader(r, t.Output()))
}
