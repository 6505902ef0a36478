package signin

import (
	"net/http"
	"strings"
	"testing"
)

// req: S18
func TestChallenge(t *testing.T) {
	const meta = "https://a.example/m"
	bearer := func(c Challenge) Challenge { c.Bearer = true; return c }
	for _, tt := range []struct {
		name  string
		lines []string
		want  Challenge
	}{
		{"none", nil, Challenge{}},
		{"without parameters", []string{"Bearer"}, bearer(Challenge{})},
		{"all that counts", []string{`Bearer realm="x", resource_metadata="` + meta + `", scope="a b", error="insufficient_scope"`},
			bearer(Challenge{ResourceMetadata: meta, Scope: "a b", Error: "insufficient_scope"})},
		{"names in any case", []string{`bEaReR Resource_Metadata="` + meta + `"`}, bearer(Challenge{ResourceMetadata: meta})},
		{"without quotes", []string{"Bearer resource_metadata=" + meta + ", scope=a"}, bearer(Challenge{ResourceMetadata: meta, Scope: "a"})},
		{"empty realm", []string{`Bearer realm="", scope="a"`}, bearer(Challenge{Scope: "a"})},
		{"realm without a value", []string{"Bearer realm=, scope=a"}, bearer(Challenge{Scope: "a"})},
		{"realm without a value alone", []string{"Bearer realm="}, bearer(Challenge{})},
		{"blanks around signs", []string{"Bearer  scope = \"a\" ,\terror = x ,"}, bearer(Challenge{Scope: "a", Error: "x"})},
		{"quoted pair", []string{`Bearer scope="a\"b"`}, bearer(Challenge{Scope: `a"b`})},
		{"behind Negotiate", []string{"Negotiate YIIabc==, Bearer scope=a"}, bearer(Challenge{Scope: "a"})},
		{"behind Negotiate without data", []string{"Negotiate, Bearer scope=a"}, bearer(Challenge{Scope: "a"})},
		{"behind Basic", []string{`Basic realm="x", charset="UTF-8", Bearer scope="a"`}, bearer(Challenge{Scope: "a"})},
		{"before Basic", []string{`Bearer scope="a", Basic realm="x"`}, bearer(Challenge{Scope: "a"})},
		{"in another line", []string{`Basic realm="x"`, "Bearer scope=a"}, bearer(Challenge{Scope: "a"})},
		{"in a line behind a broken one", []string{`Basic realm="`, "Bearer scope=a"}, bearer(Challenge{Scope: "a"})},
		{"first of two", []string{"Bearer scope=a, Bearer scope=b"}, bearer(Challenge{Scope: "a"})},
		{"metadata of another scheme", []string{`Digest resource_metadata="` + meta + `"`}, Challenge{}},
		{"comma that is missing", []string{`Bearer realm="x" scope="a"`}, bearer(Challenge{})},
		{"quote that is missing", []string{`Bearer scope="a`}, bearer(Challenge{})},
		{"parameter twice", []string{"Bearer scope=a, resource_metadata=" + meta + ", Scope=b"}, bearer(Challenge{})},
		{"metadata twice", []string{"Bearer resource_metadata=" + meta + ", resource_metadata=https://dead.example"}, bearer(Challenge{})},
		{"control inside quotes", []string{"Bearer scope=\"a\x01\""}, bearer(Challenge{})},
		{"no scheme", []string{`="a"`}, Challenge{}},
		{"too long", []string{`Bearer scope="` + strings.Repeat("a", maxChallenge-14) + `"`}, Challenge{}},
		{"too long in all", []string{"Basic " + strings.Repeat("a", maxChallenge-8), "Bearer"}, Challenge{}},
		{"as long as allowed", []string{`Bearer scope="` + strings.Repeat("a", maxChallenge-15) + `"`},
			bearer(Challenge{Scope: strings.Repeat("a", maxChallenge-15)})},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := ParseChallenge(http.Header{"Www-Authenticate": tt.lines}); got != tt.want {
				t.Errorf("ParseChallenge(%q) = %+v, want %+v", tt.lines, got, tt.want)
			}
		})
	}
}

// Whatever a server sends, a challenge holds nothing that did not stand in its line.
func FuzzChallenge(f *testing.F) {
	for _, seed := range []string{
		`Bearer realm="", scope="a b", resource_metadata="https://a.example/m"`,
		`Negotiate YII=, Basic realm=x, Bearer error="\"", x=`, "Bearer ,,,=", `bearer a="b" c=d, e f`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		c := ParseChallenge(http.Header{"Www-Authenticate": {line}})
		if !c.Bearer && c != (Challenge{}) {
			t.Errorf("%q: %+v without a challenge", line, c)
		}
		if c.Bearer && !strings.Contains(strings.ToLower(line), "bearer") {
			t.Errorf("%q: a challenge that nobody sent", line)
		}
		for _, value := range []string{c.ResourceMetadata, c.Scope, c.Error} {
			if !strings.Contains(strings.ReplaceAll(line, `\`, ""), strings.ReplaceAll(value, `\`, "")) || strings.ContainsAny(value, "\x00\r\n\x7f") {
				t.Errorf("%q: value %q", line, value)
			}
		}
	})
}
