package peers

import "testing"

// olderRequired are the scenarios that the official suite requires of a client of
// 2025-11-25.
var olderRequired = []scenario{
	{"initialize", 1, 0, ""},
	{"tools_call", 2, 0, ""},
	{"elicitation-sep1034-client-defaults", 5, 0, ""},
	{"sse-retry", 3, 0, ""},
	{"auth/metadata-default", 19, 0, ""},
	{"auth/metadata-var1", 19, 0, ""},
	{"auth/metadata-var2", 19, 0, ""},
	{"auth/metadata-var3", 19, 0, ""},
	{"auth/basic-cimd", 14, 0, ""},
	{"auth/scope-from-www-authenticate", 15, 0, ""},
	{"auth/scope-from-scopes-supported", 15, 0, ""},
	{"auth/scope-omitted-when-undefined", 15, 0, ""},
	{"auth/scope-step-up", 22, 1, ""},
	{"auth/scope-retry-limit", 10, 0, "insufficient_scope"},
	{"auth/token-endpoint-auth-basic", 20, 0, ""},
	{"auth/token-endpoint-auth-post", 20, 0, ""},
	{"auth/token-endpoint-auth-none", 20, 0, ""},
	{"auth/pre-registration", 14, 0, ""},
}

// Every scenario that the official suite requires of a client of 2025-11-25 passes with
// every check: the bridge finds out by itself that the servers are older.
//
// req: U11, S18
func TestOfficialSuite2025(t *testing.T) {
	kit := preparedKit(t)
	all, clean := officialSuite(t, kit, "2025-11-25", olderRequired, built(t, "cmd/internal/suite"))
	if !clean {
		t.Error("the suite is not content")
	}
	for _, r := range append(olderRequired, notScored) {
		t.Run(r.name, func(t *testing.T) { r.check(t, all[r.name]) })
	}
}
