package oauthloopback

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The browser gets the start URL as its one argument, and nothing of what this process
// has taken out of its environment. The test binary becomes the user's browser for it,
// so it does that only where nobody lives, in a prefix of wine.
//
// req: S01, S03, S13
func TestOpenerOfWindows(t *testing.T) {
	if os.Getenv("TRESTLE_WINE") == "" {
		t.Skip("it would change the browser of the user: .ci/windows runs it under wine")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const key = `HKLM\Software\Classes\http\shell\open\command`
	if out, err := exec.Command("reg", "add", key, "/ve", "/f", "/d", `"`+exe+`" "%1"`).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f := newFront(t)
	const secret = "TRESTLE_TAKEN_OUT"
	for _, variable := range append(f.opener("report", 0).Env, secret+"=zQ") {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	os.Unsetenv(secret)
	if err := (SystemOpener{ExitWait: patience}).Open(t.Context(), testStart()); err != nil {
		t.Fatal(err)
	}
	var got report
	if err := json.NewDecoder(f.meet()).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if want := []string{testStart().Raw()}; !slices.Equal(got.Args, want) {
		t.Errorf("arguments %q, want %q", got.Args, want)
	}
	if text := strings.Join(got.Env, "\n"); strings.Contains(text, secret) || strings.Contains(text, "zQ") {
		t.Errorf("the secret is in the environment %q", got.Env)
	}
	if !slices.Contains(got.Env, "VSCODE_IPC_HOOK_CLI=kept") {
		t.Errorf("the environment lacks what was left in it: %q", got.Env)
	}
}

// req: S01
func TestOpenerOfWindowsWithoutURL(t *testing.T) {
	wantReason(t, SystemOpener{}.Open(t.Context(), StartURL{}), ReasonConfig)
}
