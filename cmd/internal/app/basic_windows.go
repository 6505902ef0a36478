package app

import "strings"

// basic are the variables that programs of this system expect.
var basic = []string{
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE",
	"PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP",
	"USERNAME", "USERPROFILE", "WINDIR",
}

// sameName reports whether a and b name one variable.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }
