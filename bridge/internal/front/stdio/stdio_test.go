package stdio

import (
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// depth returns a message that is nested so many levels deep.
func depth(levels int) string {
	n := levels - 2 // the envelope, and params
	return `{"jsonrpc":"2.0","method":"m","params":{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}}` + "\n"
}

// req: W02
func TestDepthOfALine(t *testing.T) {
	for levels, want := range map[int]jsonrpc.Fault{63: 0, 64: 0, 65: jsonrpc.FaultTooDeep} {
		_, err := New(strings.NewReader(depth(levels)), 1000, 64).Read()
		bad, _ := errors.AsType[*jsonrpc.LineError](err)
		if (want == 0) != (err == nil) || bad != nil && bad.Fault != want {
			t.Errorf("Read of %d levels = %v, want fault %d", levels, err, want)
		}
	}
}

// req: W02
func TestLengthOfALine(t *testing.T) {
	line := `{"jsonrpc":"2.0","method":"m"}`
	for limit, want := range map[int]jsonrpc.Fault{len(line) + 1: 0, len(line): 0, len(line) - 1: jsonrpc.FaultTooLong} {
		_, err := New(strings.NewReader(line+"\n"), limit, 64).Read()
		bad, _ := errors.AsType[*jsonrpc.LineError](err)
		if (want == 0) != (err == nil) || bad != nil && bad.Fault != want {
			t.Errorf("Read with a limit of %d = %v, want fault %d", limit, err, want)
		}
	}
}

func TestInterrupt(t *testing.T) {
	pipe, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	defer w.Close()
	disk, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	conn, other := net.Pipe()
	defer other.Close()
	memory, _ := io.Pipe()

	for _, tt := range []struct {
		name string
		in   io.Reader
		want bool
	}{
		{"connection", conn, true},
		{"pipe in memory", memory, true},
		{"reader alone", strings.NewReader(""), false},
		{"file on a disk", disk, false},
		{"pipe", pipe, runtime.GOOS == "windows" || pipe.SetReadDeadline(time.Time{}) == nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := New(tt.in, 1000, 64)
			read := make(chan error, 1)
			if tt.want {
				go func() {
					_, err := f.Read()
					read <- err
				}()
			}
			if got := f.Interrupt(); got != tt.want {
				t.Fatalf("Interrupt() = %v, want %v", got, tt.want)
			}
			if tt.want {
				if err := <-read; err == nil {
					t.Error("Read returned a message")
				}
			}
		})
	}
}

func TestRestore(t *testing.T) {
	conn, other := net.Pipe()
	defer conn.Close()
	f := New(conn, 1000, 64)
	f.Interrupt()
	f.Restore()
	go func() {
		io.WriteString(other, "text")
		other.Close()
	}()
	b, err := io.ReadAll(conn)
	if string(b) != "text" || err != nil {
		t.Errorf("after Restore the stream gives %q, %v", b, err)
	}
}
