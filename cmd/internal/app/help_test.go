package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/peterbourgon/ff/v4"
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
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := run(t, strings.Fields(tt.args)...)
			if code != exitOK || stdout != tt.want || stderr != "" {
				t.Errorf("Run(%q) = code %d, stdout %q, stderr %q", tt.args, code, stdout, stderr)
			}
		})
	}
}

func TestHelpFitsOneScreen(t *testing.T) {
	for _, text := range []string{rootHelp, demoHelp, checkHelp} {
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

// The help is written by hand, so each option that works must be in it, and no other.
func TestHelpNamesTheOptions(t *testing.T) {
	root := (&process{}).commands(nil)
	for _, tt := range []struct {
		text  string
		flags ff.Flags
	}{{rootHelp, root.Flags}, {demoHelp, root.Subcommands[0].Flags}} {
		known := map[string]bool{"--help": true}
		_ = tt.flags.WalkFlags(func(f ff.Flag) error {
			long, _ := f.GetLongName()
			known["--"+long] = !slices.Contains(signInOptions, long)
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
		for option, works := range known {
			if works && !listed[option] {
				t.Errorf("%s is not in the help", option)
			}
		}
		for option := range listed {
			if !known[option] {
				t.Errorf("%s is in the help, but does not work", option)
			}
		}
	}
}

// req: P13
func TestP13HelpShowsNoFormThatDoesNotWork(t *testing.T) {
	for _, word := range []string{"logout", "status"} {
		if strings.Contains(strings.ToLower(rootHelp), word) {
			t.Errorf("the help speaks of %q", word)
		}
	}
	for _, command := range []string{"logout", "status"} {
		code, stdout, stderr := run(t, command, "--help")
		if code != exitOK || !strings.HasPrefix(stdout, command+" does not work yet; ") || strings.Count(stdout, "\n") != 1 || stderr != "" {
			t.Errorf("Run(%s --help) = code %d, stdout %q, stderr %q", command, code, stdout, stderr)
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
