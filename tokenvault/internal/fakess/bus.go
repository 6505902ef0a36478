// Package fakess is a Secret Service that does what a test tells it to, and a
// private bus for it to be on. Only tests use it.
package fakess

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"
)

// AddressVariable is where godbus looks for the address of the session bus.
const AddressVariable = "DBUS_SESSION_BUS_ADDRESS"

// busConfig lets everybody talk to everybody. What can be started is in a directory of its own.
const busConfig = `<busconfig><type>session</type><listen>unix:path=DIR/bus</listen><servicedir>DIR/services</servicedir>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`

// A Bus is a dbus-daemon of its own.
type Bus struct {
	Address string
	Dir     string // what Dir/services describes can be started
	daemon  *exec.Cmd
	kill    sync.Once
}

// StartBus starts a bus that godbus takes for that of the session, until the test
// ends. Without a dbus-daemon the test is skipped.
func StartBus(t testing.TB) *Bus {
	t.Helper()
	program, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("needs dbus-daemon")
	}
	// The directory of the test may be too long for the name of a socket.
	dir, err := os.MkdirTemp("", "bus")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Mkdir(filepath.Join(dir, "services"), 0o700); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "bus.conf")
	if err := os.WriteFile(config, []byte(strings.ReplaceAll(busConfig, "DIR", dir)), 0o600); err != nil {
		t.Fatal(err)
	}
	b := &Bus{Address: "unix:path=" + filepath.Join(dir, "bus"), Dir: dir}
	b.daemon = exec.Command(program, "--nofork", "--nosyslog", "--print-address", "--config-file="+config)
	b.start(t)
	t.Setenv(AddressVariable, b.Address)
	t.Cleanup(b.end)
	return b
}

// start returns when the bus takes connections.
func (b *Bus) start(t testing.TB) {
	t.Helper()
	ready, err := b.daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.daemon.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(ready).ReadString('\n'); err != nil {
		b.Kill()
		t.Fatalf("dbus-daemon did not start: %v", err)
	}
}

// Kill ends the bus, and with it every connection. It may be called again.
func (b *Bus) Kill() {
	b.kill.Do(func() {
		b.daemon.Process.Kill()
		b.daemon.Wait()
	})
}

// end kills the bus and waits until godbus knows: go-keyring keeps a connection for as
// long as it can, and would take it into the next test.
func (b *Bus) end() {
	shared, err := dbus.SessionBus()
	b.Kill()
	if err == nil {
		<-shared.Context().Done()
	}
}
