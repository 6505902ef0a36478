package app

import (
	"errors"
	"fmt"
	"io"
	"slices"
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

// A usageError says what is wrong with the command line. It names an option, a
// header or a variable, never a value: a value can be a secret, and one that stands in
// the wrong place.
type usageError struct {
	option string // with its dashes; or a variable of the bridge; empty if the error is not about one
	text   string
}

func (e *usageError) Error() string {
	if e.option == "" {
		return e.text
	}
	return e.option + ": " + e.text
}

// writeTo writes the line for the person. The help of command shows the usage, but for the
// options of a sign-in, which have a page of their own.
func (e *usageError) writeTo(w io.Writer, command string) {
	help := "--help"
	if command == name && e.ofSignIn() {
		help = "--help-sign-in"
	}
	fmt.Fprintf(w, "%s: %s (%s %s shows the usage)\n", name, e, command, help)
}

// ofSignIn reports whether the error is about an option or a variable of a sign-in.
func (e *usageError) ofSignIn() bool {
	return e.option == clientSecretVariable || e.option == tokenKeyVariable ||
		slices.Contains(signInOptions, strings.TrimPrefix(e.option, "--"))
}

// parseError turns an error of ff, whose text can hold values, into one of ours.
func parseError(err error, args []string, root *ff.Command) error {
	selected := root.GetSelected()
	if selected != root {
		args = root.Flags.GetArgs()[1:]
	}
	if use, ok := errors.AsType[*usageError](err); ok {
		return use
	}
	option := offender(args, selected.Flags)
	if errors.Is(err, ff.ErrUnknownFlag) {
		return unknownOption(option, root)
	}
	return &usageError{option: printable(option), text: "needs a value"}
}

const twoDashes = "options start with two dashes"

// unknownOption says what is wrong with an option that ff does not know. Behind
// one dash ff looks for letters, and there are no options of one letter.
func unknownOption(option string, root *ff.Command) *usageError {
	selected := root.GetSelected()
	if isLong(option) {
		_, owner := find(root, option)
		switch {
		case owner == nil:
			return &usageError{option: printable(option), text: "unknown option" + instead(option)}
		case selected == root:
			return &usageError{option: option, text: "is an option of " + owner.Name}
		}
		return noEffect(option, selected)
	}
	if _, known := selected.Flags.GetFlag(option[1:]); known {
		return &usageError{option: "-" + option, text: twoDashes}
	}
	return &usageError{option: printable(option), text: "unknown option; " + twoDashes}
}

// instead says where a secret goes that no option takes, or nothing.
func instead(option string) string {
	switch option {
	case "--client-secret":
		return "; the secret is in the variable " + clientSecretVariable
	case "--token-key":
		return "; the key is in the variable " + tokenKeyVariable + ", or in the file of --" + keyFileOption
	}
	return ""
}

// find returns a long option and the first command that has it, or nil.
func find(root *ff.Command, option string) (ff.Flag, *ff.Command) {
	for _, command := range append([]*ff.Command{root}, root.Subcommands...) {
		if flag, known := command.Flags.GetFlag(strings.TrimPrefix(option, "--")); known {
			return flag, command
		}
	}
	return nil, nil
}

// checkAssigned refuses an option with nothing behind its "=". For ff its value would
// be the next argument, which is a URL or a command to whoever wrote it.
func checkAssigned(args []string, root *ff.Command) error {
	for _, arg := range args {
		option, assigned := strings.CutSuffix(arg, "=")
		if !assigned || !isLong(option) {
			continue
		}
		switch flag, owner := find(root, option); {
		case owner == nil:
		case flag.GetValue() == switchText:
			return &usageError{option: option, text: "takes no value"}
		default:
			return &usageError{option: option, text: "needs a value"}
		}
	}
	return nil
}

func noEffect(option string, command *ff.Command) *usageError {
	return &usageError{option: option, text: "has no effect on " + command.Name}
}

// checkInFront refuses options in front of a subcommand: there they are those of a
// server that is bridged.
func checkInFront(root *ff.Command) error {
	selected := root.GetSelected()
	if selected == root {
		return nil
	}
	return root.Flags.WalkFlags(func(f ff.Flag) error {
		long, _ := f.GetLongName()
		if !f.IsSet() {
			return nil
		}
		if _, known := selected.Flags.GetFlag(long); known {
			return &usageError{option: "--" + long, text: "goes behind " + selected.Name + ", not in front of it"}
		}
		return noEffect("--"+long, selected)
	})
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
