//go:build unix

package bridge

import (
	"os"
	"syscall"
	"testing"
)

// sockets returns a pair of connected sockets, as Node gives them to a child instead
// of pipes.
func sockets(t *testing.T) (a, b *os.File) {
	t.Helper()
	p, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	syscall.CloseOnExec(p[0]) // the server must not hold them open
	syscall.CloseOnExec(p[1])
	a, b = os.NewFile(uintptr(p[0]), "a"), os.NewFile(uintptr(p[1]), "b")
	t.Cleanup(func() {
		a.Close()
		b.Close()
	})
	return a, b
}

func TestFrontOverSockets(t *testing.T) {
	in, toBridge := sockets(t)
	fromBridge, out := sockets(t)
	k := bridgedOver(t, Config{Upstream: command(t, "serve", nil)}, in, toBridge, fromBridge, out).open()
	const calls = 100
	for range calls {
		k.call("long", `{}`)
	}
	for i := range calls {
		if got := k.receive(); len(got) < 60_000 {
			t.Fatalf("answer %d = %.200q", i, got)
		}
	}
	k.call("hold", `{}`)
	k.in.Close()
	k.wantEnd(nil, `"text":"held"`)
}
