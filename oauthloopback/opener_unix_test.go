//go:build unix

package oauthloopback

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// req: S01, S02, S03, S13
func TestOpenerProcess(t *testing.T) {
	t.Setenv("TRESTLE_SECRET", "of this process")
	f := newFront(t)
	o := f.opener("report", patience)
	done := make(chan error, 1)
	go func() { done <- o.Open(t.Context(), testStart()) }()
	var got report
	if err := json.NewDecoder(f.meet()).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if want := []string{testStart().Raw()}; !slices.Equal(got.Args, want) {
		t.Errorf("arguments %q, want %q", got.Args, want)
	}
	env := slices.DeleteFunc(got.Env, func(v string) bool { return strings.HasPrefix(v, "PWD=") }) // made by Go from Dir
	if !slices.Equal(env, o.Env) {
		t.Errorf("environment %q, want %q", env, o.Env)
	}
	if got.Dir != "/" || got.Input != "<nil>" || !got.Leader {
		t.Errorf("directory %q, input %q, leader of a session: %v", got.Dir, got.Input, got.Leader)
	}
	for fd, file := range got.Files {
		if len(fd) == 1 && fd <= "2" && file != os.DevNull || strings.HasPrefix(file, "socket:") {
			t.Errorf("descriptor %s is %s", fd, file)
		}
	}
}

// Nothing of our environment comes with a nil Env.
//
// req: S03
func TestOpenerWithoutEnvironment(t *testing.T) {
	t.Setenv("TRESTLE_SECRET", "of this process")
	out := filepath.Join(t.TempDir(), "env")
	script := executable(t, "browser", "#!/bin/sh\nexport -p >"+out+"\necho \"$#\" >>"+out+"\n")
	if err := (SystemOpener{Browser: script, ExitWait: patience}).Open(t.Context(), testStart()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil || strings.Contains(string(text), "TRESTLE") || strings.Contains(string(text), "HOME") || !strings.HasSuffix(string(text), "1\n") {
		t.Errorf("environment and number of arguments: %q, %v", text, err)
	}
}

// executable writes a program.
func executable(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// req: S02
func TestOpenerThatFloods(t *testing.T) {
	if err := newFront(t).opener("flood", patience).Open(t.Context(), testStart()); err != nil {
		t.Error(err)
	}
}

// A browser that the opener leaves in the background is not waited for.
//
// req: S01
func TestOpenerThatLeavesAChild(t *testing.T) {
	f := newFront(t)
	if err := f.opener("leave a child", patience).Open(t.Context(), testStart()); err != nil {
		t.Error(err)
	}
	wantStays(t, f.meet())
}

// wantStays meets a process and sees that it ends only when it wants to.
func wantStays(t *testing.T, c *net.TCPConn) {
	t.Helper()
	lines := bufio.NewScanner(c)
	if !lines.Scan() || lines.Text() != "up" {
		t.Errorf("first line %q, %v", lines.Text(), lines.Err())
	}
	c.CloseWrite()
	if !lines.Scan() || lines.Text() != "still here" {
		t.Errorf("last line %q, %v", lines.Text(), lines.Err())
	}
	io.Copy(io.Discard, c)
}

// One that runs on is a browser.
//
// req: S01
func TestOpenerThatHangs(t *testing.T) {
	f := newFront(t)
	if err := f.opener("stay", time.Millisecond).Open(t.Context(), testStart()); err != nil {
		t.Error(err)
	}
	wantStays(t, f.meet())
}

// The end of the sign-in ends the watch, and not the browser.
//
// req: S10
func TestOpenerOutlivesTheSignIn(t *testing.T) {
	f := newFront(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- f.opener("stay", time.Hour).Open(ctx, testStart()) }()
	browser := f.meet()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	wantStays(t, browser)
}

// req: S01
func TestOpenerThatFails(t *testing.T) {
	f := newFront(t)
	t.Setenv("PATH", t.TempDir())
	text := executable(t, "text", "no program")
	for name, tt := range map[string]struct {
		opener SystemOpener
		code   int
	}{
		"exit code 3":      {f.opener("exit 3", patience), 3},
		"does not exist":   {SystemOpener{Browser: "/does/not/exist"}, -1},
		"no program":       {SystemOpener{Browser: text}, -1},
		"killed":           {SystemOpener{Browser: executable(t, "killed", "#!/bin/sh\nkill -9 $$\n"), ExitWait: patience}, -1},
		"nothing is named": {SystemOpener{}, -1},
	} {
		t.Run(name, func(t *testing.T) {
			err := tt.opener.Open(t.Context(), testStart())
			wantReason(t, err, ReasonBrowserFailed)
			if e, ok := errors.AsType[*Error](err); ok && e.ExitCode != tt.code {
				t.Errorf("exit code %d, want %d", e.ExitCode, tt.code)
			}
		})
	}
	wantReason(t, SystemOpener{}.Open(t.Context(), StartURL{}), ReasonConfig)
}

// A browser is not opened for a sign-in that is over.
//
// req: S10
func TestOpenerComesTooLate(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	started := filepath.Join(t.TempDir(), "started")
	browser := executable(t, "browser", "#!/bin/sh\n>"+started+"\n")
	wantReason(t, SystemOpener{Browser: browser, ExitWait: patience}.Open(ctx, testStart()), ReasonAborted)
	if _, err := os.Stat(started); err == nil {
		t.Error("the browser is opened")
	}
}

// Which program is started for what BROWSER says.
//
// req: S01
func TestOpenerIsFound(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Chdir(dir)
	at := map[string]string{}
	for _, name := range []string{"one", "two", "with blank", "a:b", "open", "xdg-open", "wslview", "100%", "sh"} {
		at[name] = filepath.Join(dir, name)
		if err := os.WriteFile(at[name], nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	display := []string{"DISPLAY=:0"}
	system := at["xdg-open"]
	if runtime.GOOS == "darwin" {
		system = at["open"]
	}
	for _, tt := range []struct{ name, browser, want string }{
		{"a name", "one", at["one"]},
		{"a path", at["two"], at["two"]},
		{"a blank is part of the name", "with blank", at["with blank"]},
		{"no arguments", "one --flag", system},
		{"a list", "none:two:one", at["two"]},
		{"a colon is part of the name", "a:b", at["a:b"]},
		{"a percent sign is part of the name", "100%", at["100%"]},
		{"a percent sign in a list", "100%:two", at["two"]},
		{"only templates", "%s:one%s", system},
		{"no shell", "sh -c one", system},
		{"relative", "./one", system},
		{"empty parts", "::", system},
		{"none", "", system},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := (SystemOpener{Browser: tt.browser, Env: display}).program(); got != tt.want {
				t.Errorf("BROWSER=%q: %q, want %q", tt.browser, got, tt.want)
			}
		})
	}
	t.Setenv("PATH", ".")
	if got := (SystemOpener{Browser: "one"}).program(); got != "" {
		t.Errorf("a PATH with the current directory: %q, want none", got)
	}
}
