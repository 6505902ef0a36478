package app

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// A key of the right shape.
const s3cretKey = "0123456789abcdefABCDEF9876543210fedcba9876543210fedcba987654321f"

// An unset, empty or blank variable is refused by the name of its option, header and
// variable.
//
// req: P06
func TestP06MissingSecrets(t *testing.T) {
	env := []string{"EMPTY=", "BLANK= \t\r\n", "GOOD=s3cret"}
	const shape = "takes NAME=VARIABLE, a header and the variable of the environment that holds its value"
	for _, tt := range []struct {
		name string
		env  string // one more variable
		args string
		want string // on stderr, after the name
	}{
		{"unset", "", "--header-env Authorization=NONE https://s3cret/", "--header-env: header Authorization: the variable NONE is not set"},
		{"empty", "", "--header-env=Authorization=EMPTY https://s3cret/", "--header-env: header Authorization: the variable EMPTY is empty"},
		{"blank", "", "--header-env X-Key=BLANK https://s3cret/", "--header-env: header X-Key: the variable BLANK is blank"},
		{"the second of two", "", "--header-env A=GOOD --header-env B=NONE https://s3cret/", "--header-env: header B: the variable NONE is not set"},
		{"of check", "", "check --header-env A=NONE https://s3cret/", "--header-env: header A: the variable NONE is not set"},
		{"value in place of a variable", "", "--header-env Authorization=Bearer-s3cret https://s3cret/", "--header-env: " + shape},
		{"header in place of a variable", "", "--header-env Authorization:s3cret https://s3cret/", "--header-env: " + shape},
		{"header that is none", "", "--header-env s3cret/=GOOD https://s3cret/", "--header-env: " + shape},
		{"no header", "", "--header-env =GOOD https://s3cret/", "--header-env: " + shape},
		{"no variable", "", "--header-env s3cret= https://s3cret/", "--header-env: " + shape},
		{"client secret as a header", "", "--header-env A=MCP_BRIDGE_CLIENT_SECRET https://s3cret/", "--header-env: takes no variable that holds a secret of the bridge itself"},
		{"key as a header", "", "--header-env A=MCP_BRIDGE_TOKEN_KEY https://s3cret/", "--header-env: takes no variable that holds a secret of the bridge itself"},
		{"header without a value", "", "--header s3cret: https://s3cret/", "--header: takes a header as NAME:VALUE; for a secret there is --header-env"},
		{"header without a name", "", "--header :s3cret https://s3cret/", "--header: takes a header as NAME:VALUE; for a secret there is --header-env"},
		{"value without a header", "", "--header s3cret https://s3cret/", "--header: takes a header as NAME:VALUE; for a secret there is --header-env"},

		{"client secret that is empty", "MCP_BRIDGE_CLIENT_SECRET=", "https://s3cret/", "MCP_BRIDGE_CLIENT_SECRET: the variable is empty"},
		{"client secret that is blank", "MCP_BRIDGE_CLIENT_SECRET= ", "check https://s3cret/", "MCP_BRIDGE_CLIENT_SECRET: the variable is blank"},
		{"key that is empty", "MCP_BRIDGE_TOKEN_KEY=", "https://s3cret/", "MCP_BRIDGE_TOKEN_KEY: the variable is empty"},
		{"key that is blank, for logout", "MCP_BRIDGE_TOKEN_KEY=\t", "logout --all", "MCP_BRIDGE_TOKEN_KEY: the variable is blank"},
		{"key that is none, for status", "MCP_BRIDGE_TOKEN_KEY=s3cret", "status", "MCP_BRIDGE_TOKEN_KEY: holds no key of 64 hex digits"},
		{"key that is too short", "MCP_BRIDGE_TOKEN_KEY=" + s3cretKey[2:], "https://s3cret/", "MCP_BRIDGE_TOKEN_KEY: holds no key of 64 hex digits"},
		{"key that is too long", "MCP_BRIDGE_TOKEN_KEY=" + s3cretKey + "00", "https://s3cret/", "MCP_BRIDGE_TOKEN_KEY: holds no key of 64 hex digits"},
		{"two keys", "MCP_BRIDGE_TOKEN_KEY=" + s3cretKey, "--token-key-file s3cret https://s3cret/",
			"--token-key-file: the variable MCP_BRIDGE_TOKEN_KEY is set too; give one of them"},
		{"a key file and an empty key", "MCP_BRIDGE_TOKEN_KEY=", "logout --token-key-file s3cret --all",
			"--token-key-file: the variable MCP_BRIDGE_TOKEN_KEY is set too; give one of them"},
		{"no key file", "", "--token-key-file", "--token-key-file: needs a value"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			testWrongUseWith(t, append(env, tt.env), tt.args, tt.want, helpFor(tt.args))
		})
	}
}

// req: P06
func TestP06SecretsComeFromWhereTheOptionsSay(t *testing.T) {
	file := keyFile(t, s3cretKey+"\n", 0o600)
	set := defaults()
	fs := set.flags(name)
	args := []string{"--header", "X-A: a: b ", "--header-env", "Authorization=TOKEN", "--header-env=X-B=OTHER", "--" + keyFileOption, file}
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	c, err := set.credentials([]string{"OTHER=o=p", "TOKEN= Bearer t", "MCP_BRIDGE_CLIENT_SECRET=c", "TOKEN_2=x"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range c.headers {
		got = append(got, h.name+"="+string(h.value.value()))
	}
	want := "X-A=a: b|Authorization=Bearer t|X-B=o=p|c"
	got = append(got, string(c.clientSecret.value()))
	if got := strings.Join(got, "|"); got != want {
		t.Errorf("credentials = %q, want %q", got, want)
	}
	if runtime.GOOS != "windows" { // where a directory for tests is often not private
		testKeyFits(t, c.tokenKey)
	}
	if out := fmt.Sprintf("%+v %+v %#v", *set, *c, c.headers); strings.Contains(out, "Bearer") || strings.Contains(out, "a: b") {
		t.Errorf("a value is printed: %s", out)
	}

	c, err = defaults().credentials([]string{"MCP_BRIDGE_TOKEN_KEY=" + s3cretKey})
	if err != nil {
		t.Fatal(err)
	}
	testKeyFits(t, c.tokenKey)
	c, err = defaults().credentials(nil)
	if err != nil || c.headers != nil || c.clientSecret.value != nil || !c.tokenKey.IsZero() {
		t.Errorf("credentials without any = %+v, %v", c, err)
	}
}

// testKeyFits opens a vault with a key that was made with the one of the tests.
func testKeyFits(t *testing.T, key tokenvault.KeySource) {
	t.Helper()
	c := tokenvault.Config{Mode: tokenvault.File, Dir: filepath.Join(t.TempDir(), "tokens"), Key: tokenvault.KeyFromHex(tokenvault.NewSecret([]byte(s3cretKey)))}
	for range 2 {
		v, err := tokenvault.Open(t.Context(), c)
		if err != nil {
			t.Fatalf("the key is not the one that was given: %v", err)
		}
		v.Close()
		c.Key = key
	}
}

// Secrets that go with a URL are of no interest to a command: what is wrong with them
// does not keep it from starting, and it cannot ask for them.
//
// req: P06
func TestP06ACommandTakesNoSecrets(t *testing.T) {
	set := defaults()
	fs := set.flags(name)
	p := &process{env: []string{"MCP_BRIDGE_TOKEN_KEY=", "MCP_BRIDGE_CLIENT_SECRET= "}}
	if target, err := p.readServer(fs, set, nil, []string{"server"}); err != nil || target.remote != nil {
		t.Errorf("readServer = %v, %v; want a command", target, err)
	}
}

// No option takes a secret of the bridge by its value, in any form and written in any way.
//
// req: P06
func TestP06NoOptionTakesASecret(t *testing.T) {
	instead := map[string]string{
		"--client-secret": "; the secret is in the variable MCP_BRIDGE_CLIENT_SECRET",
		"--token-key":     "; the key is in the variable MCP_BRIDGE_TOKEN_KEY, or in the file of --token-key-file",
	}
	for _, option := range []string{"--client-secret", "--token", "--password", "--token-key", "--access-token", "--bearer"} {
		for _, written := range []string{option + " s3cret", option + "=s3cret"} {
			for _, form := range []string{"%s https://s3cret/", "%s -- server", "logout %s --all", "status %s", "check %s https://s3cret/", "demo %s"} {
				args := fmt.Sprintf(form, written)
				testWrongUse(t, args, option+": unknown option"+instead[option], helpFor(args))
			}
		}
	}
}

// Whatever is wrong with a command line, a value in it is not repeated.
//
// req: P06 P12
func TestP06NoValueIsRepeated(t *testing.T) {
	options := []string{"", "--header-file", "--ca-file", "--redirects", "--max-response-bytes", "--connect-timeout", "--idle-timeout", "--log-level", "--discover-timeout", "--max-line-bytes", "--env-allow", "--upstream-era", "--discover",
		"--header", "--header-env", "--account", "--token-store", "--token-key-file", "--client-id", "--client-issuer", "--client-metadata-url", "--scope", "--resource",
		"--no-resource-parameter", "--redirect-port", "--no-browser", "--sign-in-timeout", "--auth-private-host", "--client-secret", "--token", "--all", "--json", "--version"}
	values := []string{"s3cret", "A:s3cret", "A=s3-cret-s3cret", "=s3cret", ":s3cret", "https://localhost:1/s3cret", "-s3cret", "--s3cret=s3cret"}
	forms := []string{"%s", "%s https://localhost:1/s3cret", "https://localhost:1/s3cret %s", "%s logout", "logout %s", "logout --all %s", "logout %s https://localhost:1/s3cret",
		"status %s", "check %s", "check %s https://localhost:1/s3cret", "check https://localhost:1/s3cret %s", "demo %s", "s3cret %s", "%s --"}
	env := []string{"MCP_BRIDGE_TOKEN_KEY=s3cret", "MCP_BRIDGE_CLIENT_SECRET=s3cret"}
	for _, option := range options {
		for _, value := range values {
			for _, written := range []string{option + " " + value, option + "=" + value, option + value} {
				for _, form := range forms {
					args := strings.Fields(fmt.Sprintf(form, written))
					code, stdout, stderr := runWith(t, env, args)
					if strings.Contains(stdout+stderr, "s3cret") || code == exitUsage && strings.Count(stderr, "\n") != 1 {
						t.Errorf("Run(%q) = code %d, stdout %q, stderr %q", args, code, stdout, stderr)
					}
				}
			}
		}
	}
}

// keyFile writes a file of that mode.
func keyFile(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s3cret")
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask is
		t.Fatal(err)
	}
	return path
}
