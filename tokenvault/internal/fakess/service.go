package fakess

import (
	"errors"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// The names of the Secret Service.
const (
	name       = "org.freedesktop.secrets"
	root       = dbus.ObjectPath("/org/freedesktop/secrets")
	login      = root + "/collection/login"
	other      = root + "/collection/other"
	alias      = root + "/aliases/default"
	session    = root + "/session/s1"
	noObject   = dbus.ObjectPath("/")
	interfaces = "org.freedesktop.Secret."
)

// An Item is what a Service holds.
type Item struct {
	Attributes map[string]string
	Value      []byte
	path       dbus.ObjectPath
}

// A Service is the Secret Service of one bus.
type Service struct {
	script  Script
	bus     *Bus
	conn    *dbus.Conn
	hold    chan struct{} // closed with the Service: ends the calls that are silent
	mu      sync.Mutex
	locked  bool
	items   []*Item
	dialogs map[dbus.ObjectPath]func() dbus.Variant // what an accepted dialog does
	serial  int
	calls   map[string]int
}

// Serve puts a service with the items on a bus, until the test ends.
func Serve(t testing.TB, bus *Bus, script Script, items ...Item) *Service {
	t.Helper()
	s := &Service{
		script: script, bus: bus, locked: script.Locked, hold: make(chan struct{}),
		dialogs: map[dbus.ObjectPath]func() dbus.Variant{}, calls: map[string]int{},
	}
	for _, i := range items {
		s.put(i.Attributes, i.Value)
	}
	conn, err := dbus.Connect(bus.Address)
	if err != nil {
		t.Fatal(err)
	}
	s.conn = conn
	t.Cleanup(func() {
		close(s.hold)
		conn.Close()
	})
	if err := s.export(); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("the name of the service: %v, %v", reply, err)
	}
	return s
}

// Start starts a bus, and a service on it.
func Start(t testing.TB, script Script, items ...Item) *Service {
	t.Helper()
	return Serve(t, StartBus(t), script, items...)
}

func (s *Service) export() error {
	err := s.conn.ExportSubtree(properties{s}, root, "org.freedesktop.DBus.Properties")
	for object, kind := range map[any]string{
		service{s}: "Service", collection{s}: "Collection", item{s}: "Item", channel{s}: "Session", prompt{s}: "Prompt",
	} {
		err = errors.Join(err, s.conn.ExportSubtree(object, root, interfaces+kind))
	}
	return err
}

// Calls returns how often each method was called.
func (s *Service) Calls() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.calls)
}

// Items returns what the service holds.
func (s *Service) Items() []Item {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Item
	for _, i := range s.items {
		all = append(all, *i)
	}
	return all
}

// Lock locks the collection, as a user can at any time.
func (s *Service) Lock() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.locked = true
}

// Replace gives every item another value, as another program can.
func (s *Service) Replace(value []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.items {
		i.Value = value
	}
}

// Empty deletes every item, as a user can with another program.
func (s *Service) Empty() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = nil
}

// enter counts a call and takes the lock. The caller unlocks.
func (s *Service) enter(method string) {
	s.mu.Lock()
	s.calls[method]++
	s.mu.Unlock()
	if s.script.Silent == method {
		<-s.hold
	}
	if s.script.Delay > 0 {
		time.Sleep(s.script.Delay)
	}
	s.mu.Lock()
}

// put stores a value under attributes, over the one that is there.
func (s *Service) put(attributes map[string]string, value []byte) dbus.ObjectPath {
	for _, i := range s.items {
		if maps.Equal(i.Attributes, attributes) {
			i.Value = value
			return i.path
		}
	}
	s.serial++
	path := dbus.ObjectPath(fmt.Sprintf("%s/%d", s.collection(), s.serial))
	s.items = append(s.items, &Item{attributes, value, path})
	return path
}

// collection returns the path of the only one.
func (s *Service) collection() dbus.ObjectPath {
	if s.script.AliasOnly {
		return other
	}
	return login
}

// ask returns the path of a dialog that does something when it is accepted.
func (s *Service) ask(accepted func() dbus.Variant) dbus.ObjectPath {
	s.serial++
	path := dbus.ObjectPath(fmt.Sprintf("%s/prompt/p%d", root, s.serial))
	s.dialogs[path] = accepted
	return path
}
