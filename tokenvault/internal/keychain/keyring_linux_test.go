package keychain

import (
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fakess"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"go.uber.org/goleak"
)

// needs skips the test unless it runs before a keyring of this kind, which the
// script with-keyring provides.
func needs(t *testing.T, keyring string) {
	t.Helper()
	if os.Getenv("TRESTLE_KEYRING") != keyring {
		t.Skipf("needs a keyring: tokenvault/internal/keychain/testdata/with-keyring %s go test -count=1 -run TestKeyring ./tokenvault/internal/keychain", keyring)
	}
}

// settled returns a check that no goroutine was left behind but those of godbus for
// go-keyring: it keeps its connection, and with it, after each dialog, whoever still
// wants to tell it of signals.
func settled(t *testing.T) func() {
	t.Helper()
	dbus.SessionBus() // what go-keyring keeps for as long as it lives
	before := goleak.IgnoreCurrent()
	return func() {
		t.Helper()
		goleak.VerifyNone(t, before, goleak.IgnoreTopFunction("github.com/godbus/dbus/v5.(*signalChannelData).deferredDeliver"))
	}
}

func watch(t *testing.T) *fakess.Watch { return fakess.StartWatch(t, os.Getenv(busVariable)) }

// absent fails the test if one of the methods was called since the watch began, or
// since the last look at it. It returns those that were.
func absent(t *testing.T, w *fakess.Watch, methods ...string) []string {
	t.Helper()
	called := w.Called(t)
	if len(called) == 0 {
		t.Error("the watch saw nothing")
	}
	for _, m := range methods {
		if slices.Contains(called, m) {
			t.Errorf("%s was called: %v", m, called)
		}
	}
	return called
}

// roundTrip stores, replaces and deletes an item.
func roundTrip(t *testing.T, o Options) {
	t.Helper()
	check := settled(t)
	w := New(o)
	useItem(t, w)
	w.Close()
	check()
}

func TestKeyringUnlocked(t *testing.T) {
	needs(t, "unlocked")
	w := watch(t)
	roundTrip(t, patient)
	roundTrip(t, allowed(patient))
	absent(t, w, "Prompt", "Dismiss")
}

func TestKeyringKeePassXC(t *testing.T) {
	needs(t, "keepassxc")
	w := watch(t)
	roundTrip(t, patient)
	roundTrip(t, allowed(patient))
	absent(t, w, "Dismiss")
}

// fails makes the calls of a Worker, each of which must end with this error.
func fails(t *testing.T, o Options, want error) {
	t.Helper()
	w := New(o)
	defer w.Close()
	for range 2 {
		if _, err := w.Get(t.Context(), testService, testAccount); !errors.Is(err, want) {
			t.Errorf("Get: %v, want %v", err, want)
		}
		if err := w.Set(t.Context(), testService, testAccount, []byte("v")); !errors.Is(err, want) {
			t.Errorf("Set: %v, want %v", err, want)
		}
		if err := w.Delete(t.Context(), testService, testAccount); !errors.Is(err, want) {
			t.Errorf("Delete: %v, want %v", err, want)
		}
	}
}

// Without a display the dialog of a locked keyring cannot show, which is no reason
// to wait.
//
// req: V02
func TestKeyringLocked(t *testing.T) {
	needs(t, "locked")
	check := settled(t)
	w := watch(t)
	fails(t, patient, fault.ErrLocked)
	absent(t, w, "Unlock", "Prompt", "Dismiss")
	fails(t, allowed(patient), fault.ErrLocked)
	absent(t, w, "Dismiss")
	w.Close()
	check()
}

// A dialog that nobody answers costs its limit once, and one goroutine.
//
// req: V02
func TestKeyringDialog(t *testing.T) {
	needs(t, "dialog")
	nobodyAnswers(t)
}

// req: V02
func TestKeyringKeePassXCClosed(t *testing.T) {
	needs(t, "closed")
	nobodyAnswers(t)
}

func nobodyAnswers(t *testing.T) {
	t.Helper()
	check := settled(t)
	w := watch(t)
	fails(t, patient, fault.ErrLocked)
	absent(t, w, "Unlock", "Prompt", "Dismiss")
	w.Close()
	check()

	w = watch(t)
	o := allowed(patient)
	o.PromptTimeout = 3 * short
	fails(t, o, fault.ErrTimeout)
	if got := running(); got != 1 {
		t.Errorf("%d goroutines hang, want 1", got)
	}
	if called := absent(t, w, "Dismiss"); !slices.Contains(called, "Prompt") {
		t.Errorf("no dialog was asked for: %v", called)
	}
}

// req: V02
func TestKeyringNone(t *testing.T) {
	needs(t, "none")
	check := settled(t)
	fails(t, patient, fault.ErrUnavailable)
	fails(t, allowed(patient), fault.ErrUnavailable)
	check()
}

// req: V02
func TestKeyringNoBus(t *testing.T) {
	needs(t, "nobus")
	before := goleak.IgnoreCurrent()
	fails(t, patient, fault.ErrUnavailable)
	fails(t, allowed(patient), fault.ErrUnavailable)
	goleak.VerifyNone(t, before)
}

// req: V02
func TestKeyringSilent(t *testing.T) {
	needs(t, "silent")
	before := goleak.IgnoreCurrent()
	fails(t, Options{Timeout: short}, fault.ErrTimeout)
	fails(t, Options{Prompt: true, Timeout: short, Start: short, PromptTimeout: short}, fault.ErrTimeout)
	goleak.VerifyNone(t, before)
}
