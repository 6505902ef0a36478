package dir

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// makeWith makes a directory with a descriptor of the test's choice.
func makeWith(t *testing.T, sddl string) string {
	t.Helper()
	me, err := currentUser()
	if err != nil {
		t.Fatal(err)
	}
	sd, err := windows.SecurityDescriptorFromString(strings.ReplaceAll(sddl, "ME", me.String()))
	if err != nil {
		t.Fatal(err)
	}
	sa := &windows.SecurityAttributes{SecurityDescriptor: sd}
	sa.Length = uint32(unsafe.Sizeof(*sa))
	path := filepath.Join(t.TempDir(), "made")
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := windows.CreateDirectory(name, sa); err != nil {
		t.Fatal(err)
	}
	return path
}

// What is made is the user's and the system's from its first moment on.
func TestThreat01DescriptorAtCreation(t *testing.T) {
	d := newDir(t)
	for _, path := range []string{d.path, filepath.Dir(d.path), newKey(t)} {
		if !isPrivatePath(path) {
			t.Errorf("others have %s", descriptor(t, path))
		}
	}
}

func descriptor(t *testing.T, path string) string {
	t.Helper()
	sd, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT,
		windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		t.Fatal(err)
	}
	return sd.String()
}

// A directory that somebody else can read or change is refused.
func TestThreat01DescriptorsOnOpen(t *testing.T) {
	tests := []struct {
		name, sddl string
		good       bool
	}{
		{"the user and the system", "D:P(A;OICI;FA;;;ME)(A;OICI;FA;;;SY)", true},
		{"and the administrators", "D:P(A;OICI;FA;;;ME)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)", true},
		{"everyone reads", "D:P(A;OICI;FA;;;ME)(A;OICI;FR;;;WD)", false},
		{"everyone writes", "D:P(A;OICI;FA;;;ME)(A;OICI;FW;;;WD)", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := makeWith(t, test.sddl)
			d, err := Open(path)
			if err == nil {
				defer d.Close()
			}
			if test.good {
				if err != nil {
					t.Errorf("%v: %s", err, descriptor(t, path))
				}
				return
			}
			if kept := descriptor(t, path); !strings.Contains(kept, ";WD)") {
				t.Skipf("the disk does not keep it: %s", kept)
			}
			whatIs(t, "Open", err, fault.ErrDamaged, fault.OpenDir)
		})
	}
}

// The entries are judged one by one, whatever the system makes of them on the disk.
func TestThreat01EntriesOfAnAccessList(t *testing.T) {
	me, err := currentUser()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, sddl string
		want       bool
	}{
		{"empty", "D:P", true},
		{"the user", "D:P(A;;FA;;;ME)", true},
		{"the system and the administrators", "D:(A;;FA;;;SY)(A;;FA;;;BA)", true},
		{"users read", "D:(A;;FA;;;ME)(A;;FR;;;BU)", false},
		{"everyone may change the list", "D:(A;;WD;;;WD)", false},
		{"everyone may take it", "D:(A;;WO;;;WD)", false},
		{"everyone may delete it", "D:(A;;SD;;;WD)", false},
		{"everyone sees that it is there", "D:(A;;RC;;;WD)", true},
		{"guests are kept out", "D:(D;;FA;;;BG)(A;;FA;;;ME)", true},
		{"for what is made in it", "D:(A;OICIIO;FA;;;WD)", false},
		{"nothing said", "O:SY", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sd, err := windows.SecurityDescriptorFromString(strings.ReplaceAll(test.sddl, "ME", me.String()))
			if err != nil {
				t.Skipf("the system does not know it: %v", err)
			}
			if got := isPrivateList(sd, me); got != test.want {
				t.Errorf("private: %v, want %v", got, test.want)
			}
		})
	}
}

// Without a list everybody has everything.
func TestThreat01NoAccessList(t *testing.T) {
	me, err := currentUser()
	if err != nil {
		t.Fatal(err)
	}
	sd, err := windows.NewSecurityDescriptor()
	if err != nil {
		t.Fatal(err)
	}
	if err := sd.SetDACL(nil, true, false); err != nil {
		t.Fatal(err)
	}
	if isPrivateList(sd, me) {
		t.Error("taken for private")
	}
}

// A reader who does not share keeps a file from being replaced. It is waited for;
// one that stays is told, and nothing is left behind.
func TestThreat56ReaderInTheWay(t *testing.T) {
	d := newDir(t)
	if err := d.Write(record, older); err != nil {
		t.Fatal(err)
	}
	hold := func(share uint32) windows.Handle {
		t.Helper()
		name, err := windows.UTF16PtrFromString(filepath.Join(d.path, record))
		if err != nil {
			t.Fatal(err)
		}
		h, err := windows.CreateFile(name, windows.GENERIC_READ, share, nil, windows.OPEN_EXISTING, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	h := hold(windows.FILE_SHARE_READ)
	time.AfterFunc(200*time.Millisecond, func() { _ = windows.CloseHandle(h) })
	if err := d.Write(record, newer); err != nil {
		t.Errorf("a reader for a moment: %v", err)
	}
	if got, err := d.Read(record); err != nil || string(got) != string(newer) {
		t.Errorf("%q, %v, want the new record", got, err)
	}

	h = hold(0)
	time.AfterFunc(200*time.Millisecond, func() { _ = windows.CloseHandle(h) })
	if got, err := d.Read(record); err != nil || string(got) != string(newer) {
		t.Errorf("somebody has it alone for a moment: %q, %v", got, err)
	}

	h = hold(windows.FILE_SHARE_READ)
	defer windows.CloseHandle(h)
	whatIs(t, "a reader who stays", d.Write(record, older), fault.ErrNotWritable, fault.ReadOnly)
	if got, err := d.Read(record); err != nil || string(got) != string(newer) {
		t.Errorf("%q, %v, want the record as it was", got, err)
	}
	if left := temps(t, d); len(left) > 0 {
		t.Errorf("%q is left", left)
	}
}

// Names that lead out of the directory, or to a device, are refused.
func TestNamesThatAreNoFiles(t *testing.T) {
	d := newDir(t)
	for _, name := range []string{`..\x`, "NUL", "COM1", `C:\x`} {
		if err := d.Touch(name); err == nil {
			t.Errorf("%s was made", name)
		}
		if _, err := d.Read(name); err == nil || errors.Is(err, os.ErrClosed) {
			t.Errorf("%s was read: %v", name, err)
		}
	}
}
