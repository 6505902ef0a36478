package keychain

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fakess"
	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"go.uber.org/goleak"
)

const (
	testService = "trestle/test"
	testAccount = "vault-key/1/0123"
)

// patient limits are for what must not reach them.
var patient = Options{Timeout: time.Minute, Start: time.Minute, PromptTimeout: time.Minute}

// Limits that are reached by what never ends. The longer one leaves time to ask for
// a dialog.
const (
	brief = 200 * time.Millisecond
	short = time.Second
)

// stored is the item of the tests.
func stored(value string) fakess.Item {
	return fakess.Item{
		Attributes: map[string]string{"service": testService, "username": testAccount},
		Value:      []byte(value),
	}
}

// startBus starts a bus of its own. When the test ends, no goroutine of it may be left.
func startBus(t *testing.T) *fakess.Bus {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
	return fakess.StartBus(t)
}

func serve(t *testing.T, script fakess.Script, items ...fakess.Item) *fakess.Service {
	t.Helper()
	return fakess.Serve(t, startBus(t), script, items...)
}

// worker returns a Worker before the keychain of the system.
func worker(t *testing.T, o Options) *Worker {
	t.Helper()
	w := New(o)
	t.Cleanup(w.Close)
	return w
}

func allowed(o Options) Options {
	o.Prompt = true
	return o
}

// running counts the goroutines of Workers.
func running() int {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return strings.Count(string(stacks), "created by github.com/trestle-mcp/trestle/tokenvault/internal/keychain.New ")
}

// asked fails the test unless the service was called exactly so often by these
// methods.
func asked(t *testing.T, s *fakess.Service, want map[string]int) {
	t.Helper()
	got := s.Calls()
	for method, n := range want {
		if got[method] != n {
			t.Errorf("%s was called %d times, want %d (all calls: %v)", method, got[method], n, got)
		}
	}
}

func TestFakeKeychainRoundTrip(t *testing.T) {
	for name, script := range map[string]fakess.Script{
		"login":           {},
		"alias":           {AliasOnly: true},
		"slow":            {Delay: 20 * time.Millisecond},
		"create asks":     {CreateAsks: true},
		"delete asks":     {DeleteAsks: true},
		"locked":          {Locked: true},
		"locked, alias":   {Locked: true, AliasOnly: true},
		"all of its ways": {Locked: true, CreateAsks: true, DeleteAsks: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, script)
			w := worker(t, allowed(patient))
			useItem(t, w)
			asked(t, s, map[string]int{"Dismiss": 0})
		})
	}
}

// useItem stores, replaces and deletes an item of a keychain that does all of it.
func useItem(t *testing.T, w *Worker) {
	t.Helper()
	if _, err := w.Get(t.Context(), testService, testAccount); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Get of nothing: %v", err)
	}
	for _, value := range []string{"tvk1.first", "tvk1.second"} {
		if err := w.Set(t.Context(), testService, testAccount, []byte(value)); err != nil {
			t.Errorf("Set: %v", err)
		}
		if got, err := w.Get(t.Context(), testService, testAccount); string(got) != value || err != nil {
			t.Errorf("Get = %q, %v, want %q", got, err, value)
		}
	}
	for range 2 {
		if err := w.Delete(t.Context(), testService, testAccount); err != nil {
			t.Errorf("Delete: %v", err)
		}
	}
}

// A locked keychain asks once, however many want something of it.
func TestThreat31OneDialogForAll(t *testing.T) {
	s := serve(t, fakess.Script{Locked: true}, stored("v"))
	var all sync.WaitGroup
	for range 3 {
		w := worker(t, allowed(patient))
		for range 4 {
			all.Go(func() {
				if got, err := w.Get(t.Context(), testService, testAccount); string(got) != "v" || err != nil {
					t.Errorf("Get = %q, %v", got, err)
				}
			})
		}
	}
	all.Wait()
	asked(t, s, map[string]int{"Prompt": 1})
}

// A question of the look that is not answered leaves nothing behind at all.
//
// req: V02
func TestThreat35LookThatHangsLeavesNothing(t *testing.T) {
	for _, method := range []string{"Get", "ReadAlias", "SearchItems"} {
		t.Run(method, func(t *testing.T) {
			s := serve(t, fakess.Script{Silent: method, AliasOnly: true}, stored("v"))
			before := goleak.IgnoreCurrent()
			w := worker(t, Options{Timeout: short})
			for range 2 {
				if _, err := w.Get(t.Context(), testService, testAccount); !errors.Is(err, fault.ErrTimeout) {
					t.Errorf("Get: %v, want a timeout", err)
				}
			}
			if err := goleak.Find(before, goleak.IgnoreAnyFunction("github.com/trestle-mcp/trestle/tokenvault/internal/fakess.(*Service).enter")); err != nil {
				t.Error(err)
			}
			asked(t, s, map[string]int{method: 1, "OpenSession": 0, "Unlock": 0})
		})
	}
}

// A call of go-keyring that hangs leaves one goroutine, and other vaults of the
// process do not add to it.
//
// req: V02
func TestThreat35CallThatHangsIsOne(t *testing.T) {
	for name, c := range map[string]struct {
		script fakess.Script
		o      Options
		count  map[string]int
	}{
		"secret that does not come": {fakess.Script{Silent: "GetSecret"}, Options{Timeout: short}, map[string]int{"GetSecret": 1, "Prompt": 0}},
		"dialog nobody answers":     {fakess.Script{Locked: true, Dialog: fakess.Hangs}, Options{Prompt: true, Timeout: short, Start: time.Minute, PromptTimeout: short}, map[string]int{"Prompt": 1, "Dismiss": 0}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.script, stored("v"))
			w := worker(t, c.o)
			for range 2 {
				if _, err := w.Get(t.Context(), testService, testAccount); !errors.Is(err, fault.ErrTimeout) {
					t.Errorf("Get: %v, want a timeout", err)
				}
			}
			for range 2 {
				another := worker(t, Options{Prompt: c.o.Prompt, Timeout: brief, Start: time.Minute, PromptTimeout: brief})
				if _, err := another.Get(t.Context(), testService, testAccount); !errors.Is(err, fault.ErrTimeout) {
					t.Errorf("Get of another vault: %v, want a timeout", err)
				}
				<-another.ended
			}
			if got := running(); got != 1 {
				t.Errorf("%d goroutines hang, want 1", got)
			}
			asked(t, s, c.count)
		})
	}
}

// Without the net under go-keyring this ends the process.
//
// req: V02
func TestThreat36BusThatDiesInADialog(t *testing.T) {
	for name, do := range map[string]func(*testing.T, *Worker) error{
		"get": func(t *testing.T, w *Worker) error {
			_, err := w.Get(t.Context(), testService, testAccount)
			return err
		},
		"set": func(t *testing.T, w *Worker) error {
			return w.Set(t.Context(), testService, testAccount, []byte("v"))
		},
		"delete": func(t *testing.T, w *Worker) error { return w.Delete(t.Context(), testService, testAccount) },
	} {
		t.Run(name, func(t *testing.T) {
			serve(t, fakess.Script{Locked: true, Dialog: fakess.BusDies}, stored("v"))
			w := worker(t, allowed(patient))
			for range 2 {
				if err := do(t, w); !errors.Is(err, fault.ErrUnavailable) {
					t.Errorf("%v, want unavailable", err)
				}
			}
			<-w.ended
		})
	}
}

// What a keychain says is believed when it is read back.
func TestThreat37KeychainThatLies(t *testing.T) {
	write := func(t *testing.T, w *Worker) error {
		return w.Set(t.Context(), testService, testAccount, []byte("mine"))
	}
	remove := func(t *testing.T, w *Worker) error { return w.Delete(t.Context(), testService, testAccount) }
	for name, c := range map[string]struct {
		script fakess.Script
		items  []fakess.Item
		do     func(*testing.T, *Worker) error
		want   fault.Detail
	}{
		"dialog of the write dismissed":      {fakess.Script{CreateAsks: true, Dialog: fakess.Dismisses}, nil, write, fault.NotKept},
		"dialog of the overwrite dismissed":  {fakess.Script{CreateAsks: true, Dialog: fakess.Dismisses}, []fakess.Item{stored("old")}, write, fault.NotKept},
		"write that stores nothing":          {fakess.Script{CreateLies: true}, nil, write, fault.NotKept},
		"write that stores another value":    {fakess.Script{CreateChanges: true}, nil, write, fault.NotKept},
		"dialog of the deletion dismissed":   {fakess.Script{DeleteAsks: true, Dialog: fakess.Dismisses}, []fakess.Item{stored("v")}, remove, fault.NotDeleted},
		"deletion of one of two equal items": {fakess.Script{}, []fakess.Item{stored("v"), twin("v")}, remove, fault.NotDeleted},
	} {
		t.Run(name, func(t *testing.T) {
			serve(t, c.script, c.items...)
			err := c.do(t, worker(t, allowed(patient)))
			if own, ok := errors.AsType[*fault.Error](err); !ok || own.Sentinel != fault.ErrUnavailable || own.Detail != c.want {
				t.Errorf("%v, want %v: %s", err, fault.ErrUnavailable, c.want)
			}
		})
	}
}

// twin is found like stored, but another program made it.
func twin(value string) fakess.Item {
	i := stored(value)
	i.Attributes["xdg:schema"] = "org.example"
	return i
}

// What is locked stays locked without a prompt, and says so at once; with one, a
// dialog that was dismissed says the same.
//
// req: V02
func TestLockedKeychain(t *testing.T) {
	for name, c := range map[string]struct {
		script fakess.Script
		prompt bool
		count  map[string]int
	}{
		"collection":               {fakess.Script{Locked: true}, false, map[string]int{"Prompt": 0, "Unlock": 0, "OpenSession": 0}},
		"collection of an alias":   {fakess.Script{Locked: true, AliasOnly: true}, false, map[string]int{"Prompt": 0, "Unlock": 0, "OpenSession": 0}},
		"item":                     {fakess.Script{ItemLocked: true}, false, map[string]int{"Prompt": 0, "Unlock": 0, "OpenSession": 0}},
		"dialog dismissed":         {fakess.Script{Locked: true, Dialog: fakess.Dismisses}, true, map[string]int{"Prompt": 1, "GetSecret": 0}},
		"dialog of an item":        {fakess.Script{ItemLocked: true, Dialog: fakess.Dismisses}, true, map[string]int{"Prompt": 1, "GetSecret": 0}},
		"signal before the answer": {fakess.Script{Locked: true, Dialog: fakess.OtherFirst}, true, map[string]int{"Prompt": 1, "GetSecret": 0}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.script, stored("v"))
			w := worker(t, Options{Prompt: c.prompt, Timeout: time.Minute, Start: time.Minute, PromptTimeout: time.Minute})
			for range 3 {
				if _, err := w.Get(t.Context(), testService, testAccount); !errors.Is(err, fault.ErrLocked) {
					t.Errorf("Get: %v, want locked", err)
				}
			}
			asked(t, s, c.count)
			asked(t, s, map[string]int{"Dismiss": 0})
		})
	}
}

// req: V02
func TestKeychainThatIsNoUse(t *testing.T) {
	for name, c := range map[string]struct {
		script fakess.Script
		want   fault.Detail
	}{
		"no collection": {fakess.Script{NoCollection: true}, fault.NoCollection},
		"wrong session": {fakess.Script{WrongSession: true}, fault.KeychainBroke},
	} {
		for _, prompt := range []bool{false, true} {
			mode := map[bool]string{false: ", never a dialog", true: ", dialogs"}[prompt]
			t.Run(name+mode, func(t *testing.T) {
				s := serve(t, c.script, stored("v"))
				o := patient
				o.Prompt = prompt
				_, err := worker(t, o).Get(t.Context(), testService, testAccount)
				if own, ok := errors.AsType[*fault.Error](err); !ok || own.Sentinel != fault.ErrUnavailable || own.Detail != c.want {
					t.Errorf("%v, want %v: %s", err, fault.ErrUnavailable, c.want)
				}
				asked(t, s, map[string]int{"Prompt": 0, "CreateCollection": 0})
			})
		}
	}
}

// Where no dialog may show, nothing that could show one is called while something is
// locked, and a dialog is never dismissed at all.
func TestThreat40NothingThatCrashesTheKeychain(t *testing.T) {
	forbidden := []string{"Unlock", "Prompt", "Dismiss"}
	for name, c := range map[string]struct {
		script fakess.Script
		never  []string
	}{
		"locked":      {fakess.Script{Locked: true}, forbidden},
		"item locked": {fakess.Script{ItemLocked: true}, forbidden},
		"unlocked":    {fakess.Script{}, []string{"Prompt", "Dismiss"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.script, stored("v"))
			for range 3 {
				w := worker(t, patient)
				w.Get(t.Context(), testService, testAccount)
				w.Set(t.Context(), testService, testAccount, []byte("v"))
				w.Delete(t.Context(), testService, testAccount)
				w.Close()
			}
			for method := range s.Calls() {
				if slices.Contains(c.never, method) {
					t.Errorf("%s was called", method)
				}
			}
		})
	}
}
