package app

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/peterbourgon/ff/v4"
)

// Exit codes of the process.
const (
	exitOK      = 0 // the input has ended, or what was asked for is done
	exitFailure = 1
	exitUsage   = 2 // wrong use: nothing was started
)

// ExitCode returns the exit code for the error of [Run].
func ExitCode(err error) int {
	if err == nil {
		return exitOK
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		return exitUsage
	}
	return exitFailure
}

// A usageError says what is wrong with the command line. It names an option,
// never a value: a value can be a secret that stands in the wrong place.
type usageError struct {
	command string // the subcommand that is used in a wrong way; empty for the root
	option  string // with its dashes; empty if the error is not about one
	text    string
}

func (e *usageError) Error() string {
	if e.option == "" {
		return e.text
	}
	return e.option + ": " + e.text
}

func (e *usageError) writeTo(w io.Writer) {
	command := name
	if e.command != "" {
		command += " " + e.command
	}
	fmt.Fprintf(w, "%s: %s (%s --help shows the usage)\n", name, e, command)
}

// parseError turns an error of ff, whose text can hold values, into one of ours.
func parseError(err error, args []string, root, sub *ff.Command) error {
	flags, command := root.Flags, ""
	if root.GetSelected() == sub {
		flags, command, args = sub.Flags, sub.Name, root.Flags.GetArgs()[1:]
	}
	use, ok := errors.AsType[*usageError](err)
	switch {
	case ok:
	case errors.Is(err, ff.ErrUnknownFlag):
		use = unknownOption(offender(args, flags), flags)
	default:
		use = &usageError{option: printable(offender(args, flags)), text: "needs a value"}
	}
	use.command = command
	return use
}

const twoDashes = "options start with two dashes"

// unknownOption says what is wrong with an option that ff does not know. Behind
// one dash ff looks for letters, and there are no options of one letter.
func unknownOption(option string, flags ff.Flags) *usageError {
	if isLong(option) {
		return &usageError{option: printable(option), text: "unknown option"}
	}
	if _, known := flags.GetFlag(option[1:]); known {
		return &usageError{option: "-" + option, text: twoDashes}
	}
	return &usageError{option: printable(option), text: "unknown option; " + twoDashes}
}

func isLong(option string) bool { return strings.HasPrefix(option, "--") }

// offender returns the option of args at which ff has stopped, without a value: the
// first one that flags does not know, or one that ends args where its value should
// stand.
func offender(args []string, flags ff.Flags) string {
	for len(args) > 0 {
		option, _, assigned := strings.Cut(args[0], "=")
		args = args[1:]
		if option == "-" && !assigned {
			continue // ff passes over it
		}
		flag, known := flags.GetFlag(strings.TrimPrefix(option, "--"))
		if !isLong(option) || !known || len(args) == 0 {
			return option
		}
		if flag.GetValue() != switchText && !assigned {
			args = args[1:]
		}
	}
	return "--" // not reached: ff has stopped at one of args
}

// printable returns the part of option that looks like the name of an option. The
// rest, if there is any, may be a value that was joined to it.
func printable(option string) string {
	end := strings.IndexFunc(option, func(r rune) bool {
		return r != '-' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if end < 0 {
		end = len(option)
	}
	if !isLong(option) {
		end = min(2, end) // one letter: what follows is read as its value
	}
	return option[:end]
}
