package oauthloopback

import (
	"context"
	"errors"
	"net"
	"strconv"
	"syscall"
	"testing"
)

// Only what the system says of the socket tells whether it is exclusive: under wine no
// other one gets the port either way.
//
// req: S07
func TestExclusiveBind(t *testing.T) {
	r := listen(t, config())
	raw, err := r.server.listener.(*net.TCPListener).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var value [4]byte
	size := int32(len(value))
	var failed error
	err = raw.Control(func(fd uintptr) {
		failed = syscall.Getsockopt(syscall.Handle(fd), syscall.SOL_SOCKET, soExclusiveAddrUse, &value[0], &size)
	})
	if err := errors.Join(err, failed); err != nil || value[0] == 0 {
		t.Errorf("SO_EXCLUSIVEADDRUSE = %v, %v; want it set", value[0], err)
	}
}

// Another socket does not get the port by asking to share it.
//
// req: S07
func TestPortIsNotShared(t *testing.T) {
	r := listen(t, config())
	sharing := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		return c.Control(func(fd uintptr) {
			syscall.SetsockoptInt(syscall.Handle(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
		})
	}}
	for _, address := range []string{"127.0.0.1", "0.0.0.0"} {
		port := r.server.listener.Addr().(*net.TCPAddr).Port
		l, err := sharing.Listen(context.Background(), "tcp4", net.JoinHostPort(address, strconv.Itoa(port)))
		if err == nil {
			l.Close()
			t.Errorf("a socket with SO_REUSEADDR listens on %s", address)
		}
	}
	wantAnswer(t, get(t, r, "/callback"+codeQuery), 200, titleDone)
}

// Who has the port to himself makes another error than who has it.
//
// req: S07
func TestAddressInUse(t *testing.T) {
	for err, want := range map[error]bool{
		&net.OpError{Op: "listen", Err: wsaeAddrInUse}: true, &net.OpError{Op: "listen", Err: syscall.WSAEACCES}: true,
		&net.OpError{Op: "listen", Err: syscall.ERROR_ACCESS_DENIED}: false, net.ErrClosed: false,
	} {
		if got := addressInUse(err); got != want {
			t.Errorf("addressInUse(%v) = %v, want %v", err, got, want)
		}
	}
}
