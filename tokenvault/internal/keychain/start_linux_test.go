package keychain

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// Nothing is started, and the environment stays as it is, where there is no bus or
// one that is not taken.
//
// req: V02
func TestThreat41NothingIsStarted(t *testing.T) {
	if own := fmt.Sprintf("/run/user/%d/bus", os.Getuid()); exists(own) {
		t.Skip("needs a user without a session bus of their own")
	}
	tcp, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	port := tcp.Addr().(*net.TCPAddr).Port
	dir := t.TempDir()
	marker := filepath.Join(dir, "started")
	launcher(t, dir, marker)
	for name, address := range map[string]string{
		"none":                    "",
		"autolaunch":              "autolaunch:",
		"autolaunch with a scope": "autolaunch:scope=install-path",
		"gone":                    "unix:path=" + filepath.Join(dir, "gone"),
		"tcp":                     fmt.Sprintf("tcp:host=127.0.0.1,port=%d", port),
		"tcp after a socket":      fmt.Sprintf("unix:path=%s;tcp:host=127.0.0.1,port=%d", filepath.Join(dir, "gone"), port),
		"a program":               "unixexec:path=" + filepath.Join(dir, "dbus-launch"),
		"a directory to make one": "unix:tmpdir=" + dir,
		"a path and a name":       "unix:path=" + dir + ",abstract=x",
		"bad escape":              "unix:path=%zz",
		"no transport":            "bus",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(busVariable, address)
			if address == "" {
				os.Unsetenv(busVariable)
			}
			env := os.Environ()
			for _, prompt := range []bool{false, true} {
				o := patient
				o.Prompt = prompt
				w := worker(t, o)
				if _, err := w.Get(t.Context(), testService, testAccount); !errors.Is(err, fault.ErrUnavailable) {
					t.Errorf("Get: %v, want unavailable", err)
				}
				w.Close()
			}
			if got := os.Environ(); !slices.Equal(got, env) {
				t.Errorf("the environment was %q, now it is %q", env, got)
			}
		})
	}
	if exists(marker) {
		t.Error("a program was started")
	}
	tcp.(*net.TCPListener).SetDeadline(time.Now())
	if c, err := tcp.Accept(); err == nil {
		c.Close()
		t.Error("something connected over TCP")
	}
}

// Where godbus has found the bus by itself, it says so to the children of the process.
func TestThreat41EnvironmentIsPutBack(t *testing.T) {
	t.Setenv(busVariable, "unix:path=/set")
	undo := leaveEnvironment()
	if undo(); os.Getenv(busVariable) != "unix:path=/set" {
		t.Error("an address that was set is gone")
	}
	os.Unsetenv(busVariable)
	undo = leaveEnvironment()
	os.Setenv(busVariable, "unix:path=/found")
	undo()
	if got, set := os.LookupEnv(busVariable); set {
		t.Errorf("an address that was found is left: %q", got)
	}
}

// launcher writes a dbus-launch that leaves a marker and fails, and puts it first in PATH.
func launcher(t *testing.T, dir, marker string) {
	t.Helper()
	script := "#!/bin/sh\n: >'" + marker + "'\nexit 1\n"
	if err := os.WriteFile(filepath.Join(dir, "dbus-launch"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// A keychain that does not run is started only where it may show a dialog.
func TestThreat41KeychainIsStartedForDialogsAlone(t *testing.T) {
	for name, prompt := range map[string]bool{"never a dialog": false, "dialogs": true} {
		t.Run(name, func(t *testing.T) {
			dir := startBus(t).Dir
			marker := filepath.Join(dir, "started")
			launcher(t, dir, marker)
			about := "[D-BUS Service]\nName=" + secretsName + "\nExec=" + filepath.Join(dir, "dbus-launch") + "\n"
			if err := os.WriteFile(filepath.Join(dir, "services", secretsName+".service"), []byte(about), 0o600); err != nil {
				t.Fatal(err)
			}
			reload(t)
			o := patient
			o.Prompt = prompt
			want := map[bool]fault.Detail{false: fault.NoKeychain, true: fault.KeychainBroke}[prompt]
			_, err := worker(t, o).Get(t.Context(), testService, testAccount)
			if own, ok := errors.AsType[*fault.Error](err); !ok || own.Sentinel != fault.ErrUnavailable || own.Detail != want {
				t.Errorf("%v, want %v: %s", err, fault.ErrUnavailable, want)
			}
			if got := exists(marker); got != prompt {
				t.Errorf("started: %t, want %t", got, prompt)
			}
		})
	}
}

// reload has the bus read anew what it can start.
func reload(t *testing.T) {
	t.Helper()
	conn, hangUp, err := dialBus(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer hangUp()
	if err := conn.BusObject().Call("org.freedesktop.DBus.ReloadConfig", 0).Err; err != nil {
		t.Fatal(err)
	}
}
