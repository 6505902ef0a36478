package conformance

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const (
	mebibyte = 1 << 20
	longest  = 64 * mebibyte // bytes of a line

	// A bridge may hold a message once, with a little around it.
	mostMemory = longest + longest/4 + 12*mebibyte
)

// A message of the greatest length passes through the bridge in not much more memory
// than it has itself, in both directions.
func TestLongestMessages(t *testing.T) {
	bridge, child := builtPlain(t)

	const room = 512 // bytes, for what stands around
	call := func(tool, arguments string) string {
		return `"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}`
	}
	size := fmt.Sprintf(`{"bytes":%d}`, longest-room)
	for _, tt := range []struct{ name, request, answer string }{
		{"a text", call("text", size), strings.Repeat("x", longest-room)},
		{"many blocks", call("blocks", size), strings.Repeat(`,{"type":"text","text":"x"}`, 2_000_000)},
		{"many numbers", call("numbers", size), strings.Repeat(",1", 30_000_000)},
		{
			"a list", fmt.Sprintf(`"tools/list","params":{"cursor":"%d"}`, longest-room),
			strings.Repeat(`,{"name":"t","inputSchema":{"type":"object"}}`, 1_000_000),
		},
		{"an argument", call("length", `{"text":"`+strings.Repeat("x", longest-room)+`"}`), fmt.Sprintf(`"%d"`, longest-room)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			editor := start(t, bridge, "--", child, "sized")
			editor.send(t, []byte(plainInitialize))
			editor.answer(t, "1")
			idle := peak(t, editor.cmd.Process.Pid)
			editor.send(t, []byte(`{"jsonrpc":"2.0","id":2,"method":`+tt.request+`}`))
			if answer := editor.answer(t, "2"); !bytes.Contains(answer, []byte(tt.answer)) {
				t.Errorf("answer of %d bytes %.200s", len(answer), answer)
			}
			got := peak(t, editor.cmd.Process.Pid)
			if got > mostMemory {
				t.Errorf("the bridge had %d MiB, want at most %d", got/mebibyte, mostMemory/mebibyte)
			}
			t.Logf("%.1f MiB before, %.1f MiB at most", float64(idle)/mebibyte, float64(got)/mebibyte)
			editor.end(t)
		})
	}
}

var peakLine = regexp.MustCompile(`(?m)^VmHWM:\s*(\d+) kB$`)

// peak is the most memory that a process has had, in bytes.
func peak(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	m := peakLine.FindSubmatch(status)
	if m == nil {
		t.Fatalf("no VmHWM in %s", status)
	}
	kib, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kib << 10
}
