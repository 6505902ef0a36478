package oauthloopback

import (
	"context"
	"time"
)

// A SystemOpener opens the user's browser, without a shell.
//
// On POSIX it starts the program that Browser names, or else open on macOS, on
// Linux wslview under WSL and xdg-open with a display. A name is looked for in the
// PATH of this process, and not in that of Env. The start URL is the program's only
// argument. The null device is its standard input, output and error, it leads a
// session of its own in the root directory, and Env is its whole environment. On
// Windows the system is asked to open the URL (ShellExecute), and Env and Browser
// are not looked at: the browser there gets the environment of this process, so
// secrets have to be taken out of that.
//
// What is started outlives the sign-in. A goroutine waits for it as long as it
// runs.
type SystemOpener struct {
	// Env is the environment of the program, as os.Environ has it. If nil, it is
	// empty; most programs need at least HOME, PATH and what leads to the display.
	Env []string

	// Browser is what the variable BROWSER says: the path or name of one program or,
	// if there is none of that name, of several with colons between. Nothing else in
	// it is understood: an entry with a percent sign is skipped. It may be empty.
	Browser string

	// ExitWait is how long the program is watched: one that ends in this time with
	// an exit code other than 0 has failed. If zero, it is 5 seconds.
	ExitWait time.Duration
}

// Open starts the browser and watches it for ExitWait, or until ctx is done. The
// error is an [Error] with [ReasonBrowserFailed], with [ReasonConfig] for a zero
// StartURL, or with [ReasonAborted] if ctx was done before: then nothing is started.
func (o SystemOpener) Open(ctx context.Context, u StartURL) error {
	if u.Raw() == "" {
		return &Error{Reason: ReasonConfig, Detail: "empty StartURL"}
	}
	if ctx.Err() != nil {
		return aborted(ctx)
	}
	o.ExitWait = or(o.ExitWait, defaultExitWait)
	return o.open(ctx, u.Raw())
}

// notStarted is the error where there is nothing to start, or it did not.
func notStarted() *Error { return &Error{Reason: ReasonBrowserFailed, ExitCode: -1} }
