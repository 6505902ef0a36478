package app

import (
	"strings"
	"testing"

	"github.com/peterbourgon/ff/v4"
)

// req: P12 P13
func TestP13WrongUseOfTheForms(t *testing.T) {
	for _, tt := range []struct {
		name string
		args string
		want string // on stderr, after the name
	}{
		{"two URLs", "https://s3cret/1 https://s3cret/2", "more than one argument; give one URL"},
		{"URL and word", "https://s3cret/1 s3cret", "more than one argument; give one URL"},
		{"URL and command", "https://s3cret/ -- server", "a URL and a command after --; give one of them"},
		{"URL and nothing after --", "https://s3cret/ --", "a URL and a command after --; give one of them"},
		{"word and URL", "s3cret https://s3cret/", "unexpected argument; give the URL with https:// or http://, or the command of the server after --"},
		{"URL of another scheme", "ftp://s3cret/", "unexpected argument; give the URL with https:// or http://, or the command of the server after --"},
		{"option behind the URL", "https://s3cret/ --log-level=s3cret", "--log-level: stands behind the URL; options come before it"},
		{"help behind the URL", "https://s3cret/ --help", "--help: stands behind the URL; options come before it"},
		{"header with a command", "--header X-A:s3cret -- server", "--header: is for a server at a URL"},
		{"header from a variable with a command", "--header-env A=B -- server", "--header-env: is for a server at a URL"},
		{"account with a command", "--account s3cret -- server", "--account: is for a server at a URL"},
		{"key file with a command", "--token-key-file s3cret -- server", "--token-key-file: is for a server at a URL"},
		{"variables of a command with a URL", "--env-allow A https://s3cret/", "--env-allow: is for a server that runs as a command"},
		{"batch files with a URL", "--allow-batch-file https://s3cret/", "--allow-batch-file: is for a server that runs as a command"},
		{"option of logout", "--all https://s3cret/", "--all: is an option of logout"},
		{"option of demo", "--json -- server", "--json: is an option of demo"},

		{"nothing behind =", "--token-key-file= https://s3cret/", "--token-key-file: needs a value"},
		{"nothing behind = of a level", "--log-level= debug -- server", "--log-level: needs a value"},
		{"nothing behind = of an unknown option", "--bogus= https://s3cret/", "--bogus: unknown option"},
		{"nothing behind = of a switch", "--allow-batch-file= -- server", "--allow-batch-file: takes no value"},
		{"nothing behind = of an option of logout", "logout --account= https://s3cret/", "--account: needs a value"},

		{"logout of nothing", "logout", "logout needs the URL of a server, or --all"},
		{"logout of an account alone", "logout --account s3cret", "logout needs the URL of a server, or --all"},
		{"logout of two URLs", "logout https://s3cret/1 https://s3cret/2", "more than one argument; give one URL"},
		{"logout of a word", "logout s3cret", "unexpected argument; a URL starts with https:// or http://"},
		{"logout of all and a URL", "logout --all https://s3cret/", "--all: takes no URL"},
		{"logout of a URL and all", "logout https://s3cret/ --all", "--all: stands behind the URL; options come before it"},
		{"logout of all and an account", "logout --all --account s3cret", "--account: has no effect with --all"},
		{"logout of a URL that no session can have", "logout http://s3cret.example/", "the URL of the server is a URL of http to another machine; only https is secure there"},
		{"logout with a command", "logout https://s3cret/ -- server", "logout takes no server; to start a server named logout, write -- logout"},
		{"logout with a header", "logout --header X-A:s3cret https://s3cret/", "--header: has no effect on logout"},
		{"logout with an option of status", "logout --json --all", "--json: has no effect on logout"},
		{"logout with an unknown option", "logout --s3cret=s3cret --all", "--s: unknown option"},
		{"logout with a value for all", "logout --all=s3cret", "--all: takes no value"},
		{"logout behind an option of its own", "--account s3cret logout --all", "--account: goes behind logout, not in front of it"},
		{"logout behind an option of a server", "--env-allow A logout --all", "--env-allow: has no effect on logout"},

		{"status of a URL", "status https://s3cret/", "status takes no argument"},
		{"status with a command", "status -- server", "status takes no server; to start a server named status, write -- status"},
		{"status of what is in memory", "status --token-store memory", "--token-store: takes auto, keychain or file here: what is in memory ends with its bridge"},
		{"logout of what is in memory", "logout --token-store memory --all", "--token-store: takes auto, keychain or file here: what is in memory ends with its bridge"},
		{"status with an option of logout", "status --all", "--all: has no effect on status"},

		{"check of nothing", "check", "no server; give its URL, or its command after --"},
		{"check of two URLs", "check https://s3cret/1 https://s3cret/2", "more than one argument; give one URL"},
		{"check of a URL and a command", "check https://s3cret/ -- server", "a URL and a command after --; give one of them"},
		{"check of a command with a header", "check --header X-A:s3cret -- server", "--header: is for a server at a URL"},
		{"check of a URL with variables of a command", "check --env-allow A https://s3cret/", "--env-allow: is for a server that runs as a command"},
		{"check with an option of logout", "check --all", "--all: has no effect on check"},
	} {
		t.Run(tt.name, func(t *testing.T) { testWrongUse(t, tt.args, tt.want, helpFor(tt.args)) })
	}
}

// Each option is for every server, or for one of the two kinds: the lists name options
// that exist, and every option of a command was looked at.
func TestOptionsOfTheKinds(t *testing.T) {
	flags := defaults().flags(name)
	for _, option := range append(append([]string{}, commandOptions...), urlOptions...) {
		if _, ok := flags.GetFlag(option); !ok {
			t.Errorf("there is no --%s", option)
		}
	}
	of := map[string]int{}
	_ = flags.WalkFlags(func(f ff.Flag) error {
		long, _ := f.GetLongName()
		for _, form := range []string{"-- server", "https://example.com"} {
			set := defaults()
			fs := set.flags(name)
			if err := fs.Parse([]string{"--" + long, valueFor(long)}); err != nil {
				t.Fatal(err)
			}
			own, server := splitArgs(strings.Fields(form))
			env := []string{"V=v"}
			if _, err := (&process{env: env}).readServer(fs, set, own, server); err == nil || !strings.Contains(err.Error(), "is for a server") {
				of[long]++
			}
		}
		return nil
	})
	want := map[string]int{
		"log-level": 2, "discover-timeout": 2, "max-line-bytes": 2, "upstream-era": 2, "discover": 2,
		"env-allow": 1, "allow-batch-file": 1, "header": 1, "header-env": 1, "account": 1, "token-store": 1, "token-dir": 1, "token-key-file": 1,
		"client-id": 1, "client-issuer": 1, "client-metadata-url": 1, "scope": 1, "resource": 1, "no-resource-parameter": 1,
		"redirect-port": 1, "no-browser": 1, "sign-in-timeout": 1, "auth-private-host": 1,
		"header-file": 1, "ca-file": 1, "max-response-bytes": 1, "redirects": 1, "connect-timeout": 1, "idle-timeout": 1,
	}
	for option, n := range of {
		if n != want[option] {
			t.Errorf("--%s goes with %d kinds of server, want %d", option, n, want[option])
		}
	}
	if len(of) != len(want) {
		t.Errorf("%d options, want %d", len(of), len(want))
	}
}

func valueFor(option string) string {
	values := map[string]string{
		"log-level": "info", "discover-timeout": "1", "max-line-bytes": "1", "upstream-era": "auto", "discover": "refuse",
		"allow-batch-file": "true", "header": "A:b", "header-env": "A=V",
		"max-response-bytes": "1", "redirects": "none", "connect-timeout": "1", "idle-timeout": "1",
		"no-resource-parameter": "true", "no-browser": "true", "redirect-port": "1", "sign-in-timeout": "10", "token-store": "memory",
	}
	if v, ok := values[option]; ok {
		return v
	}
	return "x"
}
