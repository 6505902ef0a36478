package oauthloopback

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

const (
	// roleVariable makes the test binary an opener: its value says which.
	roleVariable = "TRESTLE_OPENER_ROLE"

	// deskVariable is the address that it reports to.
	deskVariable = "TRESTLE_OPENER_DESK"
)

// A report is what an opener knows of itself.
type report struct {
	Args, Env []string
	Dir       string
	Input     string // what reading standard input gave
	Leader    bool   // of a session of its own
	Files     map[string]string
}

// play is what the openers of these tests do.
func play(role string) int {
	switch role {
	case "report":
		files := openFiles() // first: what follows opens more
		in, err := io.ReadAll(os.Stdin)
		dir, _ := os.Getwd()
		json.NewEncoder(desk()).Encode(report{
			Args: os.Args[1:], Env: os.Environ(), Dir: dir, Input: fmt.Sprint(string(in), err), Leader: leadsSession(), Files: files,
		})
	case "flood":
		for range 10 << 10 {
			os.Stdout.Write(make([]byte, 1<<10))
			os.Stderr.Write(make([]byte, 1<<10))
		}
	case "leave a child": // as a launcher does
		cmd := exec.Command(os.Args[0], os.Args[1:]...)
		cmd.Env = append(os.Environ(), roleVariable+"=stay")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := cmd.Start(); err != nil {
			return 1
		}
	case "stay": // until the desk hangs up
		c := desk()
		fmt.Fprintln(c, "up")
		io.Copy(io.Discard, c)
		fmt.Fprintln(c, "still here")
	case "exit 3":
		return 3
	}
	return 0
}

// desk connects to the test.
func desk() *net.TCPConn {
	c, err := net.Dial("tcp4", os.Getenv(deskVariable))
	if err != nil {
		panic(err)
	}
	return c.(*net.TCPConn)
}

// A front is the test's end of the desk.
type front struct {
	l *net.TCPListener
	t *testing.T
}

func newFront(t *testing.T) front {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return front{l.(*net.TCPListener), t}
}

// meet waits for the opener.
func (f front) meet() *net.TCPConn {
	f.t.Helper()
	f.l.SetDeadline(time.Now().Add(patience))
	c, err := f.l.AcceptTCP()
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(patience))
	return c
}

// opener is one that starts this binary in a role.
func (f front) opener(role string, wait time.Duration) SystemOpener {
	exe, err := os.Executable()
	if err != nil {
		f.t.Fatal(err)
	}
	return SystemOpener{Browser: exe, ExitWait: wait, Env: []string{
		roleVariable + "=" + role, deskVariable + "=" + f.l.Addr().String(), "GORACE=atexit_sleep_ms=0", "VSCODE_IPC_HOOK_CLI=kept",
	}}
}

// testStart is a start URL of no receiver.
func testStart() StartURL {
	raw := "http://127.0.0.1:41894/start/" + strings.Repeat("t", 43)
	return StartURL{seal(raw, "start")}
}
