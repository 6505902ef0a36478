package keychain

import (
	"context"
	"slices"

	"github.com/godbus/dbus/v5"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// The names of the Secret Service.
const (
	secretsName     = "org.freedesktop.secrets"
	secretsPath     = "/org/freedesktop/secrets"
	loginPath       = secretsPath + "/collection/login"
	ofService       = "org.freedesktop.Secret.Service"
	ofCollection    = "org.freedesktop.Secret.Collection"
	ofItem          = "org.freedesktop.Secret.Item"
	ofBus           = "org.freedesktop.DBus"
	propertyGet     = ofBus + ".Properties.Get"
	noObject        = dbus.ObjectPath("/")
	defaultAlias    = "default"
	lockedProperty  = "Locked"
	collectionsList = "Collections"
)

// look asks the bus whether a keychain runs, and the keychain whether it is
// unlocked. It is what keeps go-keyring from its faults: that one would start a bus
// or a keychain, ask for a dialog that nobody sees, and wait for ever.
//
// Without prompt nothing is started and nothing is unlocked. No call here can show
// a dialog, and none dismisses one: that has crashed gnome-keyring.
func (s system) look(ctx context.Context, service, account string) error {
	err := s.ask(ctx, service, account)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func (s system) ask(ctx context.Context, service, account string) error {
	conn, hangUp, err := dialBus(ctx)
	if err != nil {
		return err
	}
	defer hangUp()
	a := asker{ctx, conn, dbus.FlagNoAutoStart}
	if s.prompt {
		a.flags = 0
	}
	if err := a.runs(s.prompt); err != nil {
		return err
	}
	collection, err := a.collection()
	if err != nil {
		return err
	}
	if s.prompt {
		return nil // go-keyring has it unlocked
	}
	return a.unlocked(collection, map[string]string{"service": service, "username": account})
}

// An asker asks questions over one connection.
type asker struct {
	ctx   context.Context
	conn  *dbus.Conn
	flags dbus.Flags
}

// call fails with fault.ErrUnavailable. What was answered instead is not passed on.
func (a asker) call(dest string, path dbus.ObjectPath, method string, result any, args ...any) error {
	if a.conn.Object(dest, path).CallWithContext(a.ctx, method, a.flags, args...).Store(result) != nil {
		return fault.New(fault.ErrUnavailable, fault.KeychainBroke, nil)
	}
	return nil
}

// runs fails unless a keychain runs, or may be started and can be.
func (a asker) runs(start bool) error {
	var owned bool
	if err := a.call(ofBus, "/org/freedesktop/DBus", ofBus+".NameHasOwner", &owned, secretsName); err != nil || owned {
		return err
	}
	var known []string
	if start {
		if err := a.call(ofBus, "/org/freedesktop/DBus", ofBus+".ListActivatableNames", &known); err != nil {
			return err
		}
	}
	if !slices.Contains(known, secretsName) {
		return errNoBus
	}
	return nil
}

// collection returns the collection that go-keyring will take.
func (a asker) collection() (dbus.ObjectPath, error) {
	var all []dbus.ObjectPath
	if err := a.call(secretsName, secretsPath, propertyGet, &all, ofService, collectionsList); err != nil {
		return "", err
	}
	if slices.Contains(all, loginPath) {
		return loginPath, nil
	}
	var path dbus.ObjectPath
	if err := a.call(secretsName, secretsPath, ofService+".ReadAlias", &path, defaultAlias); err != nil {
		return "", err
	}
	if path == noObject {
		return "", fault.New(fault.ErrUnavailable, fault.NoCollection, nil)
	}
	return path, nil
}

// unlocked fails with fault.ErrLocked if the collection is locked, or the item in
// it: go-keyring would ask for a dialog.
func (a asker) unlocked(collection dbus.ObjectPath, item map[string]string) error {
	if err := a.open(collection, ofCollection); err != nil {
		return err
	}
	var found []dbus.ObjectPath
	if err := a.call(secretsName, collection, ofCollection+".SearchItems", &found, item); err != nil || len(found) == 0 {
		return err
	}
	return a.open(found[0], ofItem)
}

func (a asker) open(path dbus.ObjectPath, kind string) error {
	var locked bool
	if err := a.call(secretsName, path, propertyGet, &locked, kind, lockedProperty); err != nil {
		return err
	}
	if locked {
		return fault.New(fault.ErrLocked, "", nil)
	}
	return nil
}
