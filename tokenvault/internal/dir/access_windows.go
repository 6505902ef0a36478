package dir

import (
	"io/fs"
	"os"
	"unsafe"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
	"golang.org/x/sys/windows"
)

// ownerOnly returns the descriptor of what is made here: the user and the system
// have it, and nothing comes down from the directory above.
func ownerOnly() (*windows.SECURITY_DESCRIPTOR, error) {
	me, err := currentUser()
	if err != nil {
		return nil, err
	}
	return windows.SecurityDescriptorFromString("D:P(A;OICI;FA;;;" + me.String() + ")(A;OICI;FA;;;SY)")
}

func currentUser() (*windows.SID, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, err
	}
	return user.User.Sid, nil
}

func securityAttributes() (*windows.SecurityAttributes, error) {
	sd, err := ownerOnly()
	if err != nil {
		return nil, err
	}
	sa := &windows.SecurityAttributes{SecurityDescriptor: sd}
	sa.Length = uint32(unsafe.Sizeof(*sa))
	return sa, nil
}

// makeDir makes one directory for the user alone: it has its descriptor from the
// first moment on, and what is made in it inherits it.
func makeDir(path string) error {
	sa, err := securityAttributes()
	if err != nil {
		return err
	}
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return err
	}
	return windows.CreateDirectory(name, sa)
}

// checkWay has nothing to look at: who may put something in place of a directory
// above is said by the descriptor of that directory's parent, and Windows gives
// other users no such right below a profile.
func checkWay(string) error { return nil }

// checkPrivateDir refuses a directory that is another user's, or that somebody
// beside the user, the system and the administrators can read or change.
func checkPrivateDir(path string, _ fs.FileInfo) error {
	if !isPrivatePath(path) {
		return fault.New(fault.ErrDamaged, fault.OpenDir, nil)
	}
	return nil
}

// isPlain reports whether it is a regular file. Windows does not tell about second
// names without opening it.
func isPlain(info fs.FileInfo) bool { return info.Mode().IsRegular() }

// isPrivate is decided by the directory, whose descriptor all in it inherit.
func isPrivate(fs.FileInfo) bool { return true }

func isPrivateKey(path string, _ fs.FileInfo) bool { return isPrivatePath(path) }

// isPrivatePath reports whether the owner is the user or the administrators, and
// nobody beside them and the system can read or change it.
func isPrivatePath(path string) bool {
	sd, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT,
		windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return false
	}
	me, err := currentUser()
	if err != nil {
		return false
	}
	owner, _, err := sd.Owner()
	if err != nil || owner == nil {
		return false
	}
	if !owner.Equals(me) && !owner.IsWellKnown(windows.WinBuiltinAdministratorsSid) {
		return false
	}
	return isPrivateList(sd, me)
}

// The kinds of entries of an access list, of which golang.org/x/sys has two.
const (
	aceAllowed         = 0
	aceDenied          = 1
	aceDeniedObject    = 6
	aceAllowedCallback = 9
	aceDeniedCallback  = 10
)

// rights are the ones that read or change a file or a directory, or who may.
const rights = windows.FILE_READ_DATA | windows.FILE_WRITE_DATA | windows.FILE_APPEND_DATA |
	windows.FILE_WRITE_EA | windows.FILE_WRITE_ATTRIBUTES | fileDeleteChild |
	windows.DELETE | windows.WRITE_DAC | windows.WRITE_OWNER |
	windows.GENERIC_READ | windows.GENERIC_WRITE | windows.GENERIC_ALL

const fileDeleteChild = 0x40

// isPrivateList reports whether no entry gives such a right to somebody else.
func isPrivateList(sd *windows.SECURITY_DESCRIPTOR, me *windows.SID) bool {
	list, _, err := sd.DACL()
	if err != nil || list == nil {
		return false // no list: everybody may
	}
	for i := range uint32(list.AceCount) {
		var ace *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(list, i, &ace); err != nil {
			return false
		}
		switch ace.Header.AceType {
		case aceDenied, aceDeniedObject, aceDeniedCallback:
			continue
		case aceAllowed, aceAllowedCallback:
		default:
			return false
		}
		who := (*windows.SID)(unsafe.Pointer(&ace.SidStart))
		if ace.Mask&rights != 0 && !who.Equals(me) &&
			!who.IsWellKnown(windows.WinLocalSystemSid) && !who.IsWellKnown(windows.WinBuiltinAdministratorsSid) {
			return false
		}
	}
	return true
}

// createPrivate makes a file outside of a Dir for the user alone.
func createPrivate(path string) (*os.File, error) {
	sa, err := securityAttributes()
	if err != nil {
		return nil, err
	}
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := windows.CreateFile(name, windows.GENERIC_WRITE, 0, sa,
		windows.CREATE_NEW, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), path), nil
}
