package keychain

import (
	"errors"
	"os/exec"
)

// locked reports whether the keychain is locked, or somebody has dismissed its
// dialog. The exit status of security(1) is the low byte of the system's error.
func locked(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	switch exit.ExitCode() {
	case 36, // errSecInteractionNotAllowed, -25308: locked, and no dialog can be shown
		51,  // errSecAuthFailed, -25293
		128: // errSecUserCanceled, -128
		return true
	}
	return false
}

func leaveEnvironment() func() { return func() {} }
