package app

import (
	"strings"

	"github.com/peterbourgon/ff/v4"
)

// A kind of server is how it is reached.
type kind uint8

const (
	asCommand kind = iota // it runs as a child process
	atURL
)

// readServer tells which kind of server a command line names: args are the arguments
// in front of "--", server those behind it. It refuses options that go with the other
// kind, and secrets that cannot be had.
func (p *process) readServer(flags ff.Flags, set *settings, args, server []string) (kind, error) {
	if len(args) == 0 || !isURL(args[0]) {
		if err := checkServerCommand(args, server); err != nil {
			return asCommand, err
		}
		return asCommand, checkSet(flags, urlOptions, "is for a server at a URL, and those do not work yet")
	}
	if server != nil {
		return atURL, &usageError{text: "a URL and a command after --; give one of them"}
	}
	if err := checkURL(args); err != nil {
		return atURL, err
	}
	if err := checkSet(flags, commandOptions, "is for a server that runs as a command"); err != nil {
		return atURL, err
	}
	_, err := set.credentials(p.env)
	return atURL, err
}

// checkServerCommand refuses a command line that names no server. It does not repeat an
// argument: it may hold a key.
func checkServerCommand(args, server []string) error {
	switch {
	case len(args) > 0:
		return &usageError{text: "unexpected argument; the command of the server stands after --"}
	case server == nil:
		return &usageError{text: "no server; give its command after --"}
	case len(server) == 0 || server[0] == "":
		return &usageError{text: "no command after --"}
	}
	return nil
}

// checkURL refuses args that are not one URL.
func checkURL(args []string) error {
	switch {
	case len(args) == 0:
		return &usageError{text: "no URL of a server"}
	case !isURL(args[0]):
		return &usageError{text: "unexpected argument; a URL starts with https:// or http://"}
	case len(args) == 1:
		return nil
	case len(args[1]) > 1 && args[1][0] == '-':
		option, _, _ := strings.Cut(args[1], "=")
		return &usageError{option: printable(option), text: "stands behind the URL; options come before it"}
	}
	return &usageError{text: "more than one argument; give one URL"}
}

func isURL(arg string) bool {
	scheme, _, ok := strings.Cut(arg, "://")
	return ok && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http"))
}

// checkAlone refuses arguments of a subcommand that takes none.
func checkAlone(command string, args, server []string) error {
	if err := checkNoServer(command, server); err != nil {
		return err
	}
	if len(args) > 0 {
		return &usageError{text: command + " takes no argument"}
	}
	return nil
}

func checkNoServer(command string, server []string) error {
	if server != nil {
		return &usageError{text: command + " takes no server; to start a server named " + command + ", write -- " + command}
	}
	return nil
}
