//go:build !windows

package app

// basic are the variables that programs of this system expect.
var basic = []string{"HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"}

// sameName reports whether a and b name one variable.
func sameName(a, b string) bool { return a == b }
