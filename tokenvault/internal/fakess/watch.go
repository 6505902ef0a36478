package fakess

import (
	"testing"

	"github.com/godbus/dbus/v5"
)

// A Watch sees every message on a bus.
type Watch struct {
	address  string
	conn     *dbus.Conn
	messages chan *dbus.Message
}

// StartWatch watches the bus at an address, until the test ends or Close is called.
func StartWatch(t testing.TB, address string) *Watch {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	w := &Watch{address, conn, make(chan *dbus.Message, 10000)}
	t.Cleanup(w.Close)
	if err := conn.BusObject().Call("org.freedesktop.DBus.Monitoring.BecomeMonitor", 0, []string{}, uint32(0)).Err; err != nil {
		t.Fatal(err)
	}
	conn.Eavesdrop(w.messages)
	return w
}

// Close ends the watch. The channel is taken back first: godbus closes it, and then
// may send what was on its way into it, which would end the process.
func (w *Watch) Close() {
	w.conn.Eavesdrop(nil)
	w.conn.Close()
}

// Called returns the methods that were called since the last time, without those of
// this call itself.
func (w *Watch) Called(t testing.TB) []string {
	t.Helper()
	last, err := dbus.Connect(w.address)
	if err != nil {
		t.Fatal(err)
	}
	defer last.Close()
	own := last.Names()[0]
	const mark = "ListNames" // nobody else calls it
	if err := last.BusObject().Call("org.freedesktop.DBus."+mark, 0).Err; err != nil {
		t.Fatal(err)
	}
	var members []string
	for m := range w.messages {
		if m.Type != dbus.TypeMethodCall {
			continue
		}
		member, _ := m.Headers[dbus.FieldMember].Value().(string)
		if sender, _ := m.Headers[dbus.FieldSender].Value().(string); sender != own {
			members = append(members, member)
		} else if member == mark {
			return members
		}
	}
	t.Fatal("the bus is gone")
	return nil
}
