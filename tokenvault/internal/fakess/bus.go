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
)

// busConfig lets everybody talk to everybody. What can be started is in a directory of its own.
const busConfig = `<busconfig><type>session</type><listen>unix:path=DIR/bus</listen><servicedir>DIR/services</servicedir>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`

// A Bus is a dbus-daemon of its own.
type Bus struct {
	Address string
	daemon  *exec.Cmd
	kill    sync.Once
}

// Available reports whether there is a dbus-daemon to start.
func Available() bool {
	_, err := exec.LookPath("dbus-daemon")
	return err == nil
}

// StartBus starts a bus whose socket is in dir, an absolute path short enough for
// the name of a socket. What dir/services describes can be started. The caller kills
// the bus.
func StartBus(dir string) (*Bus, error) {
	if err := os.MkdirAll(filepath.Join(dir, "services"), 0o700); err != nil {
		return nil, err
	}
	config := filepath.Join(dir, "bus.conf")
	if err := os.WriteFile(config, []byte(strings.ReplaceAll(busConfig, "DIR", dir)), 0o600); err != nil {
		return nil, err
	}
	daemon := exec.Command("dbus-daemon", "--nofork", "--nosyslog", "--print-address", "--config-file="+config)
	ready, err := daemon.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := daemon.Start(); err != nil {
		return nil, err
	}
	b := &Bus{Address: "unix:path=" + filepath.Join(dir, "bus"), daemon: daemon}
	if _, err := bufio.NewReader(ready).ReadString('\n'); err != nil {
		b.Kill()
		return nil, err
	}
	return b, nil
}

// Kill ends the bus, and with it every connection. It may be called again.
func (b *Bus) Kill() {
	b.kill.Do(func() {
		b.daemon.Process.Kill()
		b.daemon.Wait()
	})
}
