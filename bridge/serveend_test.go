package bridge

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A state is how far a session has come when its input ends.
type state struct {
	name  string
	bring func(k *client)
	mute  bool // the server answers nothing
	busy  bool // a request is in flight that a newer client waits for
}

var statesOfServing = []state{
	{name: "nothing came", bring: func(*client) {}},
	{name: "a notification came", bring: func(k *client) { k.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`) }},
	{name: "discover waits", bring: func(k *client) { k.ask("server/discover", `{}`) }, mute: true, busy: true},
	{name: "older, initialize waits", bring: func(k *client) { k.send(initialize) }, mute: true},
	{name: "older, idle", bring: func(k *client) { k.open() }},
	{name: "older, a call waits", bring: func(k *client) { k.open().call("never", `{}`) }},
	{name: "older, a question waits", bring: func(k *client) {
		k.send(strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1))
		k.receive()
		k.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		k.call("asks", `{}`)
		if got := k.receive(); !strings.Contains(got, `"method":"roots/list"`) {
			k.t.Errorf("the client got %s, want a question", got)
		}
	}},
	{name: "newer, idle", bring: func(k *client) {
		k.call("echo", `{}`)
		k.receive()
	}},
	{name: "newer, a call waits", bring: func(k *client) { k.call("never", `{}`) }, busy: true},
	{name: "newer, a stream is open", bring: func(k *client) { k.ask("subscriptions/listen", `{}`) }},
	{name: "newer, a broken line came", bring: func(k *client) {
		k.send("broken")
		k.receive()
	}},
}

// The ways in which servers take the end of their input.
const (
	heeds = "returns at the end of its input"
	waits = "returns at the end of its context"
	never = "does not return"
)

// req: E06
func TestE06EndInEachState(t *testing.T) {
	for _, st := range statesOfServing {
		for _, kind := range []string{heeds, waits, never} {
			for _, end := range []string{"input", "context"} {
				t.Run(fmt.Sprintf("%s, the server %s, end of the %s", st.name, kind, end), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { checkEnd(t, st, kind, end == "context") })
				})
			}
		}
	}
}

// checkEnd checks when, and how, ServeStdio ends.
func checkEnd(t *testing.T, st state, kind string, byContext bool) {
	release := make(chan struct{})
	defer synctest.Wait()
	defer close(release)
	k := serving(t, ServeOptions{}, func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
		if st.mute {
			io.Copy(io.Discard, in)
		} else {
			(&server{out: out}).serve(in)
		}
		switch kind {
		case waits:
			<-ctx.Done()
		case never:
			<-release
		}
		return nil
	})
	st.bring(k)
	synctest.Wait()
	begun := time.Now()
	if byContext {
		k.cancel()
	} else {
		k.in.Close()
	}
	_, err := k.ended()
	took := time.Since(begun)

	var wantErr error
	want := time.Duration(0)
	switch {
	case kind == never:
		want, wantErr = 2*defaultGrace+500*time.Millisecond, ErrServerRuns
	case kind == waits, st.busy:
		want = defaultGrace
	}
	if took != want || err != wantErr {
		t.Errorf("ServeStdio = %v after %v, want %v after %v", err, took, wantErr, want)
	}
	if kind != never {
		joined(t)
	}
	if byContext {
		k.in.Close()
	}
}

// The limit, and that nothing stands behind it, is documented where people look.
//
// req: E06
func TestE06IsDocumented(t *testing.T) {
	for file, wants := range map[string][]string{
		"README.md": {"until it is left behind | 2 s each | `Grace` |", "`ErrServerRuns`: nothing can end a function, and no watchdog ends the process"},
		"serve.go":  {"ServeStdio returns without it then, within twice Limits.Grace and two seconds. Nothing watches beyond that, and nothing ends the process."},
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		plain := strings.Join(strings.Fields(strings.NewReplacer("// ", "", "[", "", "]", "").Replace(string(text))), " ")
		for _, words := range wants {
			if !strings.Contains(plain, words) {
				t.Errorf("%s lacks %q", file, words)
			}
		}
	}
}

// What was asked last is still answered: of a newer client for the grace, of an older one
// if the answer comes with the end.
//
// req: E06
func TestE06LastAnswers(t *testing.T) {
	slow := func(_ context.Context, in io.ReadCloser, out io.WriteCloser) error {
		s := &server{out: later{out, time.Second}}
		s.serve(in)
		return nil
	}
	t.Run("newer, within the grace", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			k := serving(t, ServeOptions{}, slow)
			k.call("echo", `{"n":1}`)
			k.in.Close()
			k.wantEnd(nil, `{'n':1}`)
		})
	})
	t.Run("older, with the end of the input", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			k := serving(t, ServeOptions{}, (&server{}).serves).open()
			k.call("hold", `{}`) // answered when the server's input ends
			k.in.Close()
			k.wantEnd(nil, `"text":"held"`)
		})
	})
	t.Run("the grace is that of the server", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			k := serving(t, ServeOptions{Limits: Limits{Grace: 7 * time.Second}}, (&server{}).serves)
			k.call("never", `{}`)
			synctest.Wait()
			begun := time.Now()
			k.in.Close()
			k.wantEnd(nil, "")
			if got, want := time.Since(begun), 7*time.Second; got != want {
				t.Errorf("ended after %v, want %v", got, want)
			}
		})
	})
}

// later writes after a while.
type later struct {
	io.Writer
	by time.Duration
}

func (l later) Write(p []byte) (int, error) {
	time.Sleep(l.by)
	return l.Writer.Write(p)
}
