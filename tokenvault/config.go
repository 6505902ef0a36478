package tokenvault

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"time"
)

// A Mode says where the key of the records is.
type Mode uint8

// The modes. Auto is the first of the others that can be had, in their order.
const (
	Auto     Mode = iota
	Keychain      // records in sealed files, their key in the keychain of the system
	File          // records in sealed files, their key from the caller
	Memory        // records in this process, gone when it ends
)

// String returns "auto", "keychain", "file" or "memory".
func (m Mode) String() string {
	switch m {
	case Auto:
		return "auto"
	case Keychain:
		return "keychain"
	case File:
		return "file"
	case Memory:
		return "memory"
	}
	return "unknown mode"
}

// A Prompt says whether a keychain may show a dialog.
type Prompt uint8

// PromptNever takes a locked keychain for one that is not there. PromptAllowed is
// for programs in front of which somebody sits.
const (
	PromptNever Prompt = iota
	PromptAllowed
)

// A Backend is a keychain. Get of an item that is not there returns an error that
// is ErrNotFound, and so may Delete.
//
// Calls come one at a time. One that outlives its time limit is left behind, and
// no other is made until it returns.
type Backend interface {
	Get(ctx context.Context, service, account string) ([]byte, error)
	Set(ctx context.Context, service, account string, value []byte) error
	Delete(ctx context.Context, service, account string) error
}

// A Config says what to open.
type Config struct {
	Mode Mode

	// Service names the keychain item: 1 to 255 bytes of printable ASCII without a
	// colon. Not needed for File and Memory.
	Service string

	// Dir is the directory of the sealed files, an absolute path. It is made if it
	// is not there. Not needed for Memory.
	Dir string

	// Existing opens a vault only if it is there, and makes nothing. Of one that is not,
	// Open says ErrNotFound, and Auto passes it over.
	Existing bool

	Key      KeySource // of File. In mode Auto its zero value leaves out File.
	Prompt   Prompt
	Timeouts Timeouts
	Logger   *slog.Logger // nil: no log
	Keychain Backend      // nil: the one of the system
}

// Timeouts bound the waiting. A zero is the value in brackets.
type Timeouts struct {
	Keychain      time.Duration // a call of the keychain [2 s]
	KeychainStart time.Duration // a call that may have to start the keychain [5 s]
	Prompt        time.Duration // a dialog of the keychain [30 s]
	Lock          time.Duration // another process that has the record [35 s]
	Refresh       time.Duration // a RefreshFunc [30 s]
}

// maxService bounds Config.Service, in bytes: what every keychain takes.
const maxService = 255

// The limits of Timeouts. What a refresh has reserved is swept away after an hour,
// so it must have ended long before.
const (
	defaultKeychain      = 2 * time.Second
	defaultKeychainStart = 5 * time.Second
	defaultPrompt        = 30 * time.Second
	defaultLock          = 35 * time.Second
	defaultRefresh       = 30 * time.Second
	maxTimeout           = 10 * time.Minute
)

func (t Timeouts) all() []time.Duration {
	return []time.Duration{t.Keychain, t.KeychainStart, t.Prompt, t.Lock, t.Refresh}
}

func (c Config) withDefaults() Config {
	t := &c.Timeouts
	t.Keychain = cmp.Or(t.Keychain, defaultKeychain)
	t.KeychainStart = cmp.Or(t.KeychainStart, defaultKeychainStart)
	t.Prompt = cmp.Or(t.Prompt, defaultPrompt)
	t.Lock = cmp.Or(t.Lock, defaultLock)
	t.Refresh = cmp.Or(t.Refresh, defaultRefresh)
	return c
}

// check refuses what no vault can be opened with.
func (c Config) check() error {
	if c.Mode > Memory {
		return errors.New("tokenvault: Config.Mode is none of the four")
	}
	if c.Mode != Memory && !filepath.IsAbs(c.Dir) {
		return errors.New("tokenvault: Config.Dir is not an absolute path")
	}
	if (c.Mode == Keychain || c.Mode == Auto) && !validService(c.Service) {
		return errors.New("tokenvault: Config.Service is not 1 to 255 bytes of printable ASCII without a colon")
	}
	for _, d := range c.Timeouts.all() {
		if d < 0 || d > maxTimeout {
			return errors.New("tokenvault: one of Config.Timeouts is not between 0 and 10 minutes")
		}
	}
	return nil
}

func validService(s string) bool {
	for _, b := range []byte(s) {
		if b < ' ' || b > '~' || b == ':' {
			return false
		}
	}
	return 0 < len(s) && len(s) <= maxService
}
