package keychain

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"go.uber.org/goleak"
)

// A bus that takes connections and says nothing, or never what it should.
//
// req: V02
func TestThreat35BusThatDoesNotAnswer(t *testing.T) {
	for name, answer := range map[string]func(net.Conn){
		"silent": func(net.Conn) {},
		"endless greeting": func(c net.Conn) {
			fmt.Fprint(c, "REJECTED EXTERNAL\r\n")
			for {
				if _, err := c.Write([]byte("DATA\r\n")); err != nil {
					return
				}
			}
		},
		"mute after the greeting": func(c net.Conn) {
			lines := bufio.NewScanner(c)
			for lines.Scan() {
				switch line := strings.TrimPrefix(lines.Text(), "\x00"); line {
				case "AUTH":
					fmt.Fprint(c, "REJECTED EXTERNAL\r\n")
				case "NEGOTIATE_UNIX_FD":
					fmt.Fprint(c, "AGREE_UNIX_FD\r\n")
				case "BEGIN":
				default:
					fmt.Fprint(c, "OK 0123456789abcdef0123456789abcdef\r\n")
				}
			}
		},
	} {
		for _, prompt := range []bool{false, true} {
			t.Run(name+map[bool]string{false: ", never a dialog", true: ", dialogs"}[prompt], func(t *testing.T) {
				listen(t, answer)
				before := goleak.IgnoreCurrent()
				w := worker(t, Options{Prompt: prompt, Timeout: brief, Start: brief, PromptTimeout: time.Minute})
				for range 2 {
					if _, err := w.Get(t.Context(), testService, testAccount); !errors.Is(err, fault.ErrTimeout) {
						t.Errorf("Get: %v, want a timeout", err)
					}
				}
				if err := goleak.Find(before); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// listen puts something that is no bus where godbus looks for one. The connections
// are closed when the test ends.
func listen(t *testing.T, answer func(net.Conn)) {
	t.Helper()
	dir, err := os.MkdirTemp("", "bus")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, "bus"))
	if err != nil {
		t.Fatal(err)
	}
	accepted := make(chan net.Conn, 100)
	go func() {
		defer close(accepted)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- c
			answer(c)
		}
	}()
	t.Cleanup(func() {
		l.Close()
		for c := range accepted {
			c.Close()
		}
	})
	t.Setenv(busVariable, "unix:path="+l.Addr().String())
}

// A socket of another user is left alone: not a byte is sent to it.
//
// req: V02
func TestThreat42BusOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to listen as another user")
	}
	dir, err := os.MkdirTemp("", "bus")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	const nobody = 65534
	for name, c := range map[string]struct {
		uid  int
		want fault.Detail
	}{
		"own":     {0, ""},
		"other's": {nobody, fault.ForeignBus},
	} {
		t.Run(name, func(t *testing.T) {
			l := listenAs(t, filepath.Join(dir, fmt.Sprint("bus", c.uid)), c.uid)
			t.Setenv(busVariable, "unix:path="+l.Addr().String())
			heard := make(chan int, 1)
			go func() {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				n, _ := conn.Read(make([]byte, 100))
				heard <- n
				conn.Close()
			}()
			_, err := worker(t, patient).Get(t.Context(), testService, testAccount)
			own, _ := errors.AsType[*fault.Error](err)
			if own == nil || own.Sentinel != fault.ErrUnavailable || (own.Detail == fault.ForeignBus) != (c.want == fault.ForeignBus) {
				t.Errorf("Get: %v, want %v", err, fault.ErrUnavailable)
			}
			if n := <-heard; (n == 0) != (c.want == fault.ForeignBus) {
				t.Errorf("the other end has read %d bytes", n)
			}
		})
	}
}

// listenAs listens as another user: on a thread that is that user, and is thrown
// away.
func listenAs(t *testing.T, path string, uid int) net.Listener {
	t.Helper()
	type listening struct {
		l   net.Listener
		err error
	}
	done := make(chan listening)
	go func() {
		runtime.LockOSThread() // and never unlocked
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0)); errno != 0 {
			done <- listening{nil, errno}
			return
		}
		l, err := net.Listen("unix", path)
		done <- listening{l, err}
	}()
	got := <-done
	if got.err != nil {
		t.Fatal(got.err)
	}
	t.Cleanup(func() { got.l.Close() })
	return got.l
}

// The socket that is found without an address must be one, and this user's.
func TestThreat42SocketThatIsFound(t *testing.T) {
	dir, err := os.MkdirTemp("", "bus")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	in := func(name string) string { return filepath.Join(dir, name) }
	l, err := net.Listen("unix", in("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	os.WriteFile(in("file"), nil, 0o600)
	os.Symlink(in("socket"), in("link"))
	os.Mkdir(in("directory"), 0o700)
	want := map[string]bool{"socket": true, "file": false, "link": false, "directory": false, "nothing": false}
	if os.Geteuid() == 0 {
		foreign, err := net.Listen("unix", in("foreign"))
		if err != nil {
			t.Fatal(err)
		}
		defer foreign.Close()
		os.Chown(in("foreign"), 65534, 65534)
		want["foreign"] = false
	}
	for name, good := range want {
		if got, err := userBus(in(name)); (err == nil) != good || good && got != in(name) {
			t.Errorf("%s: %q, %v, want it taken: %t", name, got, err, good)
		}
	}
}

// The socket is the one that godbus would take.
func TestBusAddress(t *testing.T) {
	for name, c := range map[string]struct{ address, want string }{
		"path":                  {"unix:path=/run/user/7/bus", "/run/user/7/bus"},
		"path and more":         {"unix:path=/run/user/7/bus,guid=0123456789abcdef", "/run/user/7/bus"},
		"abstract":              {"unix:abstract=/bus/x,guid=01", "@/bus/x"},
		"escaped":               {"unix:path=/a%20b%2cc", "/a b,c"},
		"plus is no blank":      {"unix:path=/a+b", "/a+b"},
		"first of a repetition": {"unix:path=/a,path=/b", "/a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(busVariable, c.address)
			if got, err := busSocket(); got != c.want || err != nil {
				t.Errorf("%q, %v, want %q", got, err, c.want)
			}
		})
	}
}

// An address is refused where godbus would go elsewhere than to the socket that was
// looked at.
func TestThreat42AddressThatLeadsElsewhere(t *testing.T) {
	for name, address := range map[string]string{
		"tcp with a path":              "tcp:host=localhost,path=/run/user/7/bus",
		"a list":                       "unix:path=/run/user/7/bus,guid=01;tcp:host=localhost",
		"two sockets":                  "unix:path=/run/user/7/bus,guid=01;unix:path=/run/user/8/bus",
		"a path and an abstract name":  "unix:path=/run/user/7/bus,abstract=x",
		"an empty path, and a name":    "unix:path=,dir=/run",
		"another transport like ours":  "unixexec:x,path=/run/user/7/bus",
		"a path that cannot be undone": "unix:path=/run/%zz",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(busVariable, address)
			if got, err := busSocket(); !errors.Is(err, fault.ErrUnavailable) {
				t.Errorf("%q, %v, want it refused", got, err)
			}
		})
	}
}
