package conformance

import (
	"bytes"
	"fmt"
	"testing"
)

// call is the request of a tool of the fixture for many bytes.
func call(id, bytes int) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"text","arguments":{"bytes":%d}}}`, id, bytes)
}

// An editor that keeps its end of the output open but does not read is waited for, and
// what it sends meanwhile is read. It gets everything in the end, in order.
//
// req: W01, W18
func TestOutputThatIsReadLate(t *testing.T) {
	const calls, size = 50, 400_000 // far more than the pipes and the bridge hold
	bridge, child := built(t)
	editor := start(t, bridge, "--", child, "sized")
	editor.send(t, []byte(plainInitialize))
	editor.answer(t, "1")
	for id := range calls {
		editor.send(t, call(100+id, size))
	}
	if _, err := editor.out.Peek(1); err != nil { // the answers come
		t.Fatal(err)
	}
	const other = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}` + "\n"
	editor.write(t, bytes.Repeat([]byte(other), 50_000)) // far more than a pipe holds
	for id := range calls {
		line, err := editor.line(t)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(line, fmt.Appendf(nil, `"id":%d,`, 100+id)) && !bytes.Contains(line, fmt.Appendf(nil, `"id":%d}`, 100+id)) || len(line) < size {
			t.Errorf("answer %d is one of %d bytes: %.100s", id, len(line), line)
		}
	}
	editor.end(t)
}

// An editor that closes its end of the output is gone: the bridge ends in order, with
// its server, as soon as it has something to write, and also while it writes.
//
// req: P19
func TestOutputThatIsClosed(t *testing.T) {
	bridge, child := built(t)
	for _, tt := range []struct {
		name string
		size int  // bytes of an answer
		wait bool // until the bridge writes it
	}{
		{"before an answer", 1, false},
		{"within an answer", 10_000_000, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			observer := observe(t)
			editor := start(t, bridge, "--", child, "--observer", observer.address(), "--ignore-eof", "sized")
			observer.started(t)
			editor.send(t, []byte(plainInitialize))
			editor.answer(t, "1")
			if tt.wait {
				editor.send(t, call(2, tt.size))
				if _, err := editor.out.Peek(1); err != nil {
					t.Fatal(err)
				}
			}
			if err := editor.pipe.Close(); err != nil {
				t.Fatal(err)
			}
			if !tt.wait {
				editor.send(t, call(2, tt.size))
			}
			if err := editor.cmd.Wait(); err != nil {
				t.Errorf("bridge: %v, want exit code 0", err)
			}
			observer.gone(t)
		})
	}
}

const plainInitialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
