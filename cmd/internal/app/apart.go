package app

import (
	"io/fs"
	"strings"
)

// whatHelps is said where the browser of the person may be on another machine than the
// bridge, or have another localhost: what comes back from a sign-in would not arrive.
const (
	whatHelps = "; if nothing comes back from the browser, forward the port to where it runs: --redirect-port chooses it"
	notHere   = ", and --no-browser opens nothing here"
)

// apart says why the browser may not reach the bridge on 127.0.0.1, and what helps, or
// nothing. Root is that of the file system.
func apart(env []string, noBrowser bool, root fs.FS) string {
	where := whereabouts(env, root)
	switch {
	case where == "":
		return ""
	case noBrowser:
		return "the bridge runs " + where + whatHelps
	}
	return "the bridge runs " + where + whatHelps + notHere
}

func whereabouts(env []string, root fs.FS) string {
	switch {
	case isSet(env, "SSH_CONNECTION"), isSet(env, "SSH_TTY"):
		return "on the far end of SSH"
	case underWSL(root):
		return "in WSL"
	case exists(root, ".dockerenv"), exists(root, "run/.containerenv"):
		return "in a container"
	}
	return ""
}

// underWSL knows the kernel of the Windows Subsystem for Linux.
func underWSL(root fs.FS) bool {
	release, err := fs.ReadFile(root, "proc/sys/kernel/osrelease")
	return err == nil && strings.Contains(strings.ToLower(string(release)), "microsoft")
}

func exists(root fs.FS, path string) bool {
	_, err := fs.Stat(root, path)
	return err == nil
}
