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
	option string // with its dashes; empty if the error is not about one
	text   string
}

func (e *usageError) Error() string {
	if e.option == "" {
		return e.text
	}
	return e.option + ": " + e.text
}

func (e *usageError) writeTo(w io.Writer) {
	fmt.Fprintf(w, "%s: %s (%s --help shows the usage)\n", name, e, name)
}

// parseError turns an error of ff, whose text can hold values, into one of ours.
func parseError(err error, args []string, root, sub *ff.Command) error {
	if use, ok := errors.AsType[*usageError](err); ok {
		return use
	}
	text := "needs a value"
	if errors.Is(err, ff.ErrUnknownFlag) {
		text = "unknown option"
	}
	flags := root.Flags
	if root.GetSelected() == sub {
		flags, args = sub.Flags, root.Flags.GetArgs()[1:]
	}
	return &usageError{option: offender(args, flags), text: text}
}

// offender returns the option of args at which ff has stopped: the first one that
// flags does not know, or one that ends args where its value should stand.
func offender(args []string, flags ff.Flags) string {
	for len(args) > 0 {
		option, _, assigned := strings.Cut(args[0], "=")
		args = args[1:]
		flag, known := flags.GetFlag(strings.TrimLeft(option, "-"))
		if !known || len(args) == 0 {
			return printable(option)
		}
		if flag.GetValue() != switchText && !assigned {
			args = args[1:]
		}
	}
	return ""
}

// printable returns the part of option that looks like the name of an option. The
// rest, if there is any, may be a value that was joined to it.
func printable(option string) string {
	end := strings.IndexFunc(option, func(r rune) bool {
		return r != '-' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if !strings.HasPrefix(option, "--") {
		end = min(2, len(option)) // one letter: what follows is read as its value
	}
	if end < 0 {
		return option
	}
	return option[:end]
}
