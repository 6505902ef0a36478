package checks

import (
	"slices"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/checks/internal/workspace"
)

// A rule says what a module may import: siblings by name, others by module path. Tests may import
// the outside modules of testOnly too.
type rule struct {
	siblings, outside []string
}

var rules = map[string]rule{
	"jsonrpc":       {},
	"oauthloopback": {nil, []string{"github.com/pkg/browser"}},
	"tokenvault":    {nil, []string{"github.com/zalando/go-keyring", "github.com/godbus/dbus/v5", "github.com/gofrs/flock", "golang.org/x/sys"}},
	"mcpwire":       {[]string{"jsonrpc"}, []string{"github.com/valyala/fastjson", "golang.org/x/net", "golang.org/x/time"}},
	"bridge": {
		[]string{"jsonrpc", "mcpwire", "oauthloopback", "tokenvault"},
		[]string{"golang.org/x/oauth2", "golang.org/x/net", "github.com/gofrs/flock", "golang.org/x/sys"},
	},
	// mcpwire: only its Profile and Limits, which bridge.Config holds and the binary chooses, and its causes.
	// oauthloopback: only the opener of the browser and the URL to show, which bridge.SignIn holds.
	"cmd": {[]string{"bridge", "mcpwire", "oauthloopback", "tokenvault"}, []string{"github.com/peterbourgon/ff/v4"}},
	// oauthloopback: for its test with a real browser. What a bridge does is looked at from outside.
	"conformance": {[]string{"jsonrpc", "oauthloopback"}, []string{"github.com/santhosh-tekuri/jsonschema/v6", "github.com/modelcontextprotocol/go-sdk"}},
	"checks":      {[]string{"mcpwire"}, nil}, // CAUSES.md is made from its table
}

// testOnly are modules that any module's tests may import.
var testOnly = []string{
	"github.com/google/go-cmp", "github.com/rogpeppe/go-internal", "go.uber.org/goleak",
	"github.com/santhosh-tekuri/jsonschema/v6", "github.com/modelcontextprotocol/go-sdk", "golang.org/x/oauth2",
}

func TestImportDirections(t *testing.T) {
	for _, s := range sources(t) {
		r, known := rules[s.module.Name()]
		if !known {
			t.Fatalf("module %s has no rule", s.module.Name())
		}
		for _, imp := range s.imports() {
			name, sibling := siblingOf(imp)
			if sibling && name != s.module.Name() && !slices.Contains(r.siblings, name) {
				t.Errorf("%s imports %s: module %s must not depend on %s", s.file, imp, s.module.Name(), name)
			}
		}
	}
}

func TestThirdParty(t *testing.T) {
	for _, s := range sources(t) {
		allowed := rules[s.module.Name()].outside
		if s.test() {
			allowed = slices.Concat(allowed, testOnly)
		}
		for _, imp := range s.imports() {
			if _, sibling := siblingOf(imp); sibling || standard(imp) {
				continue
			}
			if !slices.ContainsFunc(allowed, func(m string) bool { return imp == m || strings.HasPrefix(imp, m+"/") }) {
				t.Errorf("%s imports %s, which module %s may not use", s.file, imp, s.module.Name())
			}
		}
	}
}

// barred are packages that only tests import; a package may be let off by a line with the reason.
var barred = map[string]map[string]string{
	"testing": {
		workspace.Prefix + "bridge/internal/signintest": "it is a server for tests; only they import it",
		workspace.Prefix + "tokenvault/vaulttest":       "it is a test, for stores of others",
		workspace.Prefix + "tokenvault/internal/fakess": "it is a keychain for tests; only they import it",
		workspace.Prefix + "tokenvault/internal/reexec": "it starts a test binary once more; only tests import it",
	},
	"net/http/pprof": {},
	"expvar":         {},
	"unsafe": {
		workspace.Prefix + "bridge/internal/upstream/child": "a Windows job object takes a pointer and a size",
		workspace.Prefix + "cmd/internal/app":               "the width of a terminal comes through a pointer",
		workspace.Prefix + "tokenvault/internal/dir":        "a security descriptor goes to Windows by its size and through a pointer",
	},
	"encoding/gob": {},
}

func TestBarredPackages(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		for _, imp := range s.imports() {
			first, _, _ := strings.Cut(imp, "/")
			letOff, found := barred[imp]
			if !found && first == "testing" {
				letOff, found = barred[first], true
			}
			if found && letOff[s.pkg()] == "" {
				t.Errorf("%s imports %s outside a test", s.file, imp)
			}
		}
	}
}

// Packages inside bridge meet in session and in the package bridge itself; the log's vocabulary, and
// how a stream is made to return, are everybody's.
func TestLeavesDoNotMeet(t *testing.T) {
	const internal = workspace.Prefix + "bridge/internal/"
	for _, s := range sources(t) {
		if s.test() || !strings.HasPrefix(s.pkg(), internal) || s.pkg() == internal+"session" {
			continue
		}
		for _, imp := range s.imports() {
			if strings.HasPrefix(imp, internal) && imp != internal+"diag" && imp != internal+"halt" {
				t.Errorf("%s imports %s: only session and bridge see more than one internal package", s.file, imp)
			}
		}
	}
}

// siblingOf names the module of this repository that an import path lies in.
func siblingOf(imp string) (string, bool) {
	rest, ok := strings.CutPrefix(imp, workspace.Prefix)
	name, _, _ := strings.Cut(rest, "/")
	return name, ok
}

func standard(imp string) bool {
	first, _, _ := strings.Cut(imp, "/")
	return !strings.Contains(first, ".")
}
