package app

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/peterbourgon/ff/v4"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// req: P12
func TestHelp(t *testing.T) {
	for _, tt := range []struct {
		name string
		args string
		want string
	}{
		{"long", "--help", rootHelp},
		{"short", "-h", rootHelp},
		{"with a command", "--help -- server", rootHelp},
		{"after another option", "--log-level warn --help", rootHelp},
		{"of demo", "demo --help", demoHelp},
		{"of check", "check --help", checkHelp},
		{"of status", "status --help", statusHelp},
		{"of logout", "logout --help", logoutHelp},
		{"of a sign-in", "--help-sign-in", helpSignIn},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := run(t, strings.Fields(tt.args)...)
			if code != exitOK || stdout != tt.want || stderr != "" {
				t.Errorf("Run(%q) = code %d, stdout %q, stderr %q", tt.args, code, stdout, stderr)
			}
		})
	}
}

// What helps against a cause is an option or a command that there is.
//
// req: P18
func TestCausesNameOptionsThatThereAre(t *testing.T) {
	root := (&process{}).commands(nil)
	named := regexp.MustCompile(`--[a-z-]+`)
	seen := 0
	for _, c := range mcpwire.Causes() {
		for _, option := range named.FindAllString(c.Help(), -1) {
			seen++
			if _, known := root.Flags.GetFlag(option[2:]); !known {
				t.Errorf("%s: there is no option %s", c, option)
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d options are named", seen)
	}
}

func TestHelpFitsOneScreen(t *testing.T) {
	for _, text := range []string{rootHelp, demoHelp, checkHelp, helpSignIn, statusHelp, logoutHelp} {
		if n := strings.Count(text, "\n"); n > 24 {
			t.Errorf("%d lines, want at most 24", n)
		}
		for line := range strings.Lines(text) {
			if len(line) > 80+len("\n") {
				t.Errorf("%d columns, want at most 80: %s", len(line), line)
			}
		}
	}
}

// The help is written by hand, so each option must be in it, and no other.
func TestHelpNamesTheOptions(t *testing.T) {
	root := (&process{}).commands(nil)
	of := func(name string) ff.Flags {
		i := slices.IndexFunc(root.Subcommands, func(c *ff.Command) bool { return c.Name == name })
		return root.Subcommands[i].Flags
	}
	for _, tt := range []struct {
		text   string
		flags  ff.Flags
		signIn bool // it has the options of a sign-in, and no others
	}{{rootHelp, root.Flags, false}, {helpSignIn, root.Flags, true}, {demoHelp, of("demo"), false}, {statusHelp, of("status"), true}, {logoutHelp, of("logout"), true}} {
		known := map[string]bool{}
		if tt.text != helpSignIn {
			known["--help"] = true
		}
		_ = tt.flags.WalkFlags(func(f ff.Flag) error {
			long, _ := f.GetLongName()
			if tt.flags != root.Flags || tt.signIn == slices.Contains(signInOptions, long) {
				known["--"+long] = true
			}
			return nil
		})
		_, options, _ := strings.Cut(tt.text, "\nOptions")
		listed := map[string]bool{}
		for line := range strings.Lines(options) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "--") {
				continue
			}
			for part := range strings.SplitSeq(line, ", --") { // several that go together
				option, _, _ := strings.Cut(strings.TrimPrefix(part, "--"), " ")
				listed["--"+strings.TrimSpace(option)] = true
			}
		}
		for option := range known {
			if !listed[option] {
				t.Errorf("%s is not in the help", option)
			}
		}
		for option := range listed {
			if !known[option] {
				t.Errorf("%s is in the help, but does not exist", option)
			}
		}
	}
}

func TestVersion(t *testing.T) {
	for _, args := range []string{"--version", "--version -- server", "--log-level debug --version"} {
		code, stdout, stderr := run(t, strings.Fields(args)...)
		if code != exitOK || !strings.HasPrefix(stdout, name+" ") || strings.Count(stdout, "\n") != 1 || stderr != "" {
			t.Errorf("Run(%q) = code %d, stdout %q, stderr %q", args, code, stdout, stderr)
		}
	}
}
