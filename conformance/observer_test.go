package conformance

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/conformance/fixture"
)

// An observer learns what a child was started with, and when it is gone, whether or
// not the bridge is still there.
type observer struct {
	listener net.Listener
	conn     net.Conn
}

// deadline ends a wait for a process that does not do what it should.
const deadline = time.Minute

func observe(t *testing.T) *observer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return &observer{listener: l}
}

// address is where the child has to connect to.
func (o *observer) address() string { return o.listener.Addr().String() }

// started waits for the child.
func (o *observer) started(t *testing.T) fixture.Start {
	t.Helper()
	if err := o.listener.(*net.TCPListener).SetDeadline(time.Now().Add(deadline)); err != nil {
		t.Fatal(err)
	}
	conn, err := o.listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	o.conn = conn
	if err := conn.SetDeadline(time.Now().Add(2 * deadline)); err != nil {
		t.Fatal(err)
	}
	var s fixture.Start
	if err := json.NewDecoder(conn).Decode(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

// gone waits for the end of the child, which started has seen.
func (o *observer) gone(t *testing.T) {
	t.Helper()
	for buf := make([]byte, 1); ; {
		switch _, err := o.conn.Read(buf); {
		case errors.Is(err, os.ErrDeadlineExceeded):
			t.Fatal("the child is still there")
		case err != nil:
			return
		}
	}
}
