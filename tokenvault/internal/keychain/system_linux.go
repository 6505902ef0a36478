package keychain

import (
	"errors"
	"os"
	"strings"

	"github.com/godbus/dbus/v5"
)

// locked reports whether the collection or the item is locked, or somebody has
// dismissed the dialog that would have unlocked it. For this go-keyring has no
// other sign than the beginning of a text.
func locked(err error) bool {
	var reply dbus.Error
	if errors.As(err, &reply) {
		return reply.Name == "org.freedesktop.Secret.Error.IsLocked"
	}
	return strings.HasPrefix(err.Error(), "failed to unlock")
}

// leaveEnvironment returns what undoes godbus's change of the environment: where it
// has found the bus by itself, it tells the children of this process.
func leaveEnvironment() func() {
	if _, set := os.LookupEnv(busVariable); set {
		return func() {}
	}
	return func() { os.Unsetenv(busVariable) }
}
