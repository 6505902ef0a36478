package peers

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

// A scenario is what has to come of one.
type scenario struct {
	name   string
	passed int
	pages  int
	cause  string
}

// required are the scenarios that the official suite requires of a client, how many of
// their checks pass, how many pages the editor is asked to open, and why the bridge has to
// give up where it has to.
var required = []scenario{
	{"tools_call", 2, 0, ""},
	{"request-metadata", 8, 0, ""},
	{"auth/metadata-default", 18, 0, ""},
	{"auth/metadata-var1", 18, 0, ""},
	{"auth/metadata-var2", 18, 0, ""},
	{"auth/metadata-var3", 18, 0, ""},
	{"auth/basic-cimd", 12, 0, ""},
	{"auth/scope-from-www-authenticate", 14, 0, ""},
	{"auth/scope-from-scopes-supported", 14, 0, ""},
	{"auth/scope-omitted-when-undefined", 14, 0, ""},
	{"auth/scope-step-up", 24, 1, ""},
	{"auth/scope-retry-limit", 11, 0, "insufficient_scope"},
	{"auth/token-endpoint-auth-basic", 19, 0, ""},
	{"auth/token-endpoint-auth-post", 19, 0, ""},
	{"auth/token-endpoint-auth-none", 19, 0, ""},
	{"auth/pre-registration", 12, 0, ""},
	{"auth/resource-mismatch", 2, 0, "resource_mismatch"},
	{"auth/offline-access-scope", 15, 0, ""},
	{"auth/offline-access-not-supported", 14, 0, ""},
	{"auth/authorization-server-migration", 28, 1, ""},
	{"auth/iss-supported", 14, 0, ""},
	{"auth/iss-not-advertised", 14, 0, ""},
	{"auth/iss-supported-missing", 8, 0, "iss_missing"},
	{"auth/iss-wrong-issuer", 8, 0, "iss_mismatch"},
	{"auth/iss-unexpected", 8, 0, "iss_mismatch"},
	{"auth/iss-normalized", 8, 0, "iss_mismatch"},
	{"auth/metadata-issuer-mismatch", 3, 0, "issuer_mismatch"},
	{"sep-2322-client-request-state", 5, 0, ""},
	{"http-standard-headers", 9, 0, ""},
	{"http-custom-headers", 18, 0, ""},
	{"http-invalid-tool-headers", 12, 0, ""},
	{"json-schema-ref-no-deref", 1, 0, ""},
}

// notScored came after the release of the revision.
var notScored = scenario{"json-schema-2020-12-preservation", 9, 0, ""}

func (want scenario) isSignIn() bool { return strings.HasPrefix(want.name, "auth/") }

// Every scenario that the official suite requires of a client of 2026-07-28 passes with
// every check. Its authorization servers are without TLS, which a build for it alone
// allows on this machine.
//
// req: S18, W15, W16
func TestOfficialSuite(t *testing.T) {
	kit := preparedKit(t)
	all, clean := officialSuite(t, kit, run.UpstreamRevision, required, built(t, "cmd/internal/suite"))
	if !clean {
		t.Error("the suite is not content")
	}
	for _, r := range required {
		t.Run(r.name, func(t *testing.T) { r.check(t, all[r.name]) })
	}
	t.Run(notScored.name, func(t *testing.T) { notScored.check(t, all[notScored.name]) })
}

// The bridge that people get passes what is no sign-in, and refuses the rest: it asks no
// authorization server without TLS for anything.
//
// req: P11, W15, W16
func TestOfficialSuiteAsShipped(t *testing.T) {
	kit, bridge := prepared(t)
	all, _ := officialSuite(t, kit, run.UpstreamRevision, required, bridge[0])
	for _, r := range required {
		t.Run(r.name, func(t *testing.T) {
			if r.isSignIn() {
				r.checkRefused(t, all[r.name])
			} else {
				r.check(t, all[r.name])
			}
		})
	}
}

// officialSuite runs all that the suite requires of a revision, with a bridge.
func officialSuite(t *testing.T, kit *run.Kit, revision string, required []scenario, bridge string) (all map[string]run.Scenario, clean bool) {
	t.Helper()
	driver, err := repository(t).Build(t.Context(), "conformance/peers/cmd/driver", filepath.Join(t.TempDir(), "driver"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	checkRequired(t, ctx, kit, revision, required)
	begun := time.Now()
	all, clean, err = kit.Suite(ctx, revision, []string{driver, bridge})
	if err != nil {
		t.Fatal(err)
	}
	passed, scored := 0, 0
	for _, r := range required {
		scored += all[r.name].Passed()
		if all[r.name].Passed() == r.passed {
			passed++
		}
	}
	t.Logf("%d of %d scenarios as required, %d checks passed, %.1f s", passed, len(required), scored, time.Since(begun).Seconds())
	return all, clean
}

// checkRequired wants the table to be what the suite requires.
func checkRequired(t *testing.T, ctx context.Context, kit *run.Kit, revision string, required []scenario) {
	t.Helper()
	listed, err := kit.Required(ctx, revision)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, r := range required {
		want = append(want, r.name)
	}
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("what the suite requires (-table +suite):\n%s", diff)
	}
}

// check wants every check of s to pass, and the session to be as it has to.
func (want scenario) check(t *testing.T, s run.Scenario) {
	t.Helper()
	for _, c := range s.Checks {
		if c.Status == "FAILURE" || c.Status == "WARNING" {
			t.Errorf("%s: %s %s", c.ID, c.Status, c.ErrorMessage)
		}
	}
	if got := s.Passed(); got != want.passed {
		t.Errorf("%d checks passed, want %d", got, want.passed)
	}
	if got := strings.Count(s.Log, "driver: a page is opened\n"); got != want.pages {
		t.Errorf("asked to open %d pages, want %d", got, want.pages)
	}
	checkEnd(t, s, ending(want.cause))
}

// ending is the last that the driver says in a session that ends well, or for a cause.
func ending(cause string) string {
	if cause == "" {
		return "driver: done\n"
	}
	return " (" + cause + ")\n"
}

// refused are the ends of the scenarios in which a sign-in does not begin for another reason
// than that no authorization server can be used.
var refused = map[string]string{
	"auth/metadata-var3":     ending("no_resource_metadata"), // it is at an address of the server's choice
	"auth/resource-mismatch": ending("resource_mismatch"),
	"auth/pre-registration":  "driver: initialize: the bridge has ended its output\n", // its issuer is an option
}

// checkRefused wants a sign-in that has not begun.
func (want scenario) checkRefused(t *testing.T, s run.Scenario) {
	t.Helper()
	if n := s.Requests(); n > 0 {
		t.Errorf("%d requests to authorization servers", n)
	}
	if strings.Contains(s.Log, "sign in at") {
		t.Error("a URL to sign in at was shown")
	}
	end, known := refused[want.name]
	if !known {
		end = ending("no_authorization_server")
	}
	checkEnd(t, s, end)
}

// checkEnd wants a log with an end.
func checkEnd(t *testing.T, s run.Scenario, want string) {
	t.Helper()
	if !strings.HasSuffix(s.Log, want) {
		t.Errorf("the session did not end with %q", want)
	}
	if t.Failed() {
		t.Logf("what the driver and the bridge logged:\n%s", s.Log)
	}
}
