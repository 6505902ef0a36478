package keychain

import (
	"context"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/godbus/dbus/v5"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"golang.org/x/sys/unix"
)

// busVariable holds the address of the session bus. It is all that is read of the
// environment, and godbus reads it too, for go-keyring.
const busVariable = "DBUS_SESSION_BUS_ADDRESS"

var errNoBus = fault.New(fault.ErrUnavailable, fault.NoKeychain, nil)

// busSocket returns the socket of the session bus, as net names it. It takes what
// godbus would take, as far as that is one socket of this machine: no other
// transport, no list to choose from, and no bus that would have to be started.
func busSocket() (string, error) {
	address := os.Getenv(busVariable)
	if address == "" || address == "autolaunch:" {
		return userBus("/run/user/" + strconv.Itoa(os.Getuid()) + "/bus")
	}
	keys, ok := strings.CutPrefix(address, "unix:")
	if !ok || strings.Contains(keys, ";") {
		return "", errNoBus
	}
	path, abstract := busKey(keys, "path="), busKey(keys, "abstract=")
	switch {
	case path != "" && abstract == "":
		return path, nil
	case abstract != "" && path == "":
		return "@" + abstract, nil
	}
	return "", errNoBus
}

// userBus returns path if it is a socket of this user.
func userBus(path string) (string, error) {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFSOCK || int(st.Uid) != os.Geteuid() {
		return "", errNoBus
	}
	return path, nil
}

// busKey returns the value of the first key of that name, or "".
func busKey(keys, name string) string {
	for pair := range strings.SplitSeq(keys, ",") {
		if escaped, ok := strings.CutPrefix(pair, name); ok {
			value, err := url.PathUnescape(escaped)
			if err != nil {
				return ""
			}
			return value
		}
	}
	return ""
}

// dialBus returns a connection of its own to the session bus. When ctx ends, it is
// closed, and whatever waits on it returns. The caller calls hangUp.
func dialBus(ctx context.Context) (conn *dbus.Conn, hangUp func(), err error) {
	name, err := busSocket()
	if err != nil {
		return nil, nil, err
	}
	socket, err := new(net.Dialer).DialContext(ctx, "unix", name)
	if err != nil {
		return nil, nil, errNoBus
	}
	unwatch := context.AfterFunc(ctx, func() { socket.Close() })
	hangUp = func() {
		unwatch()
		socket.Close()
	}
	if !ours(socket.(*net.UnixConn)) {
		hangUp()
		return nil, nil, fault.New(fault.ErrUnavailable, fault.ForeignBus, nil)
	}
	conn, err = dbus.DialUnix(socket.(*net.UnixConn))
	if err != nil {
		hangUp()
		return nil, nil, errNoBus
	}
	hangUp = func() {
		unwatch()
		conn.Close()
	}
	if conn.Auth(nil) != nil || conn.Hello() != nil {
		hangUp()
		return nil, nil, errNoBus
	}
	return conn, hangUp, nil
}

// ours reports whether this user listens at the other end. A bus of somebody else
// would hear the key.
func ours(socket *net.UnixConn) bool {
	raw, err := socket.SyscallConn()
	if err != nil {
		return false
	}
	var peer *unix.Ucred
	refused := raw.Control(func(fd uintptr) {
		peer, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	return refused == nil && err == nil && int(peer.Uid) == os.Geteuid()
}
