package mcpwire

import (
	"fmt"
	"strings"
	"testing"
)

// req: I04
func TestT121Form(t *testing.T) {
	const big = `9007199254740993`
	for _, tt := range []struct {
		name, field string
		valid       []string
		invalid     []string
	}{
		{"a string", `{"type":"string"}`,
			[]string{`""`, `"x"`, `"\u0000"`},
			[]string{`1`, `null`, `true`, `[]`, `{}`, `["x"]`, `"\ud800"`}},
		{"a string by length, in characters", `{"type":"string","minLength":2,"maxLength":3.0}`,
			[]string{`"ab"`, `"\ud83d\ude00\ud83d\ude00"`, `"😀😀😀"`, `"é\u00e9é"`, `"\n\n\n"`},
			[]string{`""`, `"a"`, `"\ud83d\ude00"`, `"abcd"`, `"😀😀😀😀"`}},
		{"a number", `{"type":"number"}`,
			[]string{`0`, `-0`, `1.5`, `1e400`, `-1E-400`, big},
			[]string{`"1"`, `null`, `true`, `[1]`, `{}`}},
		{"an integer", `{"type":"integer"}`,
			[]string{`0`, `-3`, `1.0`, `1e3`, `1.5e1`, `-0.0`, `120e-1`, `1e999999999999999999999`, big + `000000000000000000000`},
			[]string{`1.5`, `1e-1`, `"1"`, `15e-1`, `1e-99999999999999999999`, `null`, big + `.5`}},
		{"a number from and to", `{"type":"number","minimum":-1.5,"maximum":1e2}`,
			[]string{`-1.5`, `-15e-1`, `-1.50`, `0`, `100`, `1.0e2`, `99.99999999999999999999999999`},
			[]string{`-1.5000000000000000000000001`, `-2`, `100.00000000000000000000001`, `101`, `1e3`, `1e999`, `-1e999`}},
		{"a number where float64 rounds", `{"type":"integer","minimum":` + big + `,"maximum":` + big + `}`,
			[]string{big, big + `.0`, `0.` + big + `e16`},
			[]string{`9007199254740992`, `9007199254740994`}},
		{"a number between", `{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}`,
			[]string{`0.5`, `1e-400`, `0.99999999999999999999999`},
			[]string{`0`, `-0`, `1`, `1.0`, `-1e-400`}},
		{"a bound without bounds", `{"type":"number","maximum":1e99999999999999999999}`,
			[]string{`0`, `1e9999`}, []string{}},
		{"yes or no", `{"type":"boolean"}`,
			[]string{`true`, `false`},
			[]string{`"true"`, `0`, `1`, `null`}},
		{"a pattern anywhere", `{"type":"string","pattern":"b[0-9]"}`,
			[]string{`"b1"`, `"ab1c"`, `"\u00621"`},
			[]string{`""`, `"b"`, `"B1"`}},
		{"a pattern of all", `{"type":"string","pattern":"^a*$"}`,
			[]string{`""`, `"aaa"`},
			[]string{`"aab"`, `"a\n"`, `"b\na"`}},
		{"a pattern that is no RE2", `{"type":"string","pattern":"(?=a)\\1","maxLength":2}`,
			[]string{`"b"`},
			[]string{`"abc"`}},
		{"a choice", `{"type":"string","enum":["x","\u0079y"]}`,
			[]string{`"x"`, `"yy"`, `"\u0078"`},
			[]string{`"X"`, `""`, `"x "`, `1`, `["x"]`}},
		{"a choice with names", `{"type":"string","enum":["x"],"enumNames":["X"]}`,
			[]string{`"x"`},
			[]string{`"X"`}},
		{"a choice with titles", `{"type":"string","oneOf":[{"const":"x","title":"X"},{"const":"y","title":"Y"}]}`,
			[]string{`"x"`, `"y"`},
			[]string{`"X"`, `"z"`, `{"const":"x"}`}},
		{"a choice of both", `{"type":"string","enum":["x","y"],"oneOf":[{"const":"z","title":"Z"},{"const":"y","title":"Y"}]}`,
			[]string{`"y"`},
			[]string{`"x"`, `"z"`}},
		{"no choice", `{"type":"string","enum":[]}`,
			nil,
			[]string{`""`, `"x"`}},
		{"a list", `{"type":"array","items":{"type":"string","enum":["x","y","z"]},"minItems":1,"maxItems":2}`,
			[]string{`["x"]`, `["x","z"]`, `["x","x"]`},
			[]string{`[]`, `["x","y","z"]`, `["w"]`, `["x",1]`, `"x"`, `{}`, `null`, `[["x"]]`}},
		{"a list with titles", `{"type":"array","items":{"anyOf":[{"const":"x","title":"X"},{"const":"x","title":"Y"}]}}`,
			[]string{`[]`, `["x"]`, `["x","x"]`},
			[]string{`["X"]`, `["x","Y"]`}},
		{"a list without repetition", `{"type":"array","items":{"enum":["x","y"]},"uniqueItems":true}`,
			[]string{`[]`, `["y","x"]`},
			[]string{`["x","\u0078"]`, `["x","y","x"]`}},
		{"a list with repetition", `{"type":"array","items":{"enum":["x","y"]},"uniqueItems":false}`,
			[]string{`["x","x"]`},
			nil},
		{"a list of choices of some length", `{"type":"array","items":{"enum":["x","yy"],"minLength":2}}`,
			[]string{`["yy"]`},
			[]string{`["x"]`}},
	} {
		f := formOf(t, formWith(`"a":`+tt.field))
		check := func(value string, want bool) {
			m, s := valueIn(t, `{"a":`+value+`}`)
			if got := f.accepts(m, s); got != want {
				t.Errorf("%s: %s accepts %s: %t, want %t", tt.name, tt.field, value, got, want)
			}
		}
		for _, v := range tt.valid {
			check(v, true)
		}
		for _, v := range tt.invalid {
			check(v, false)
		}
	}
}

// req: I04
func TestT121FormMembers(t *testing.T) {
	const fields = `"a":{"type":"string"},"b":{"type":"integer"}`
	open := `{"type":"object","properties":{` + fields + `},"required":["a"]}`
	closed := `{"type":"object","properties":{` + fields + `},"additionalProperties":false}`
	odd := `{"type":"object","properties":{` + fields + `},"required":["a","c"]}`
	for _, tt := range []struct {
		name, schema, content string
		want                  bool
	}{
		{"a required one", open, `{"a":""}`, true},
		{"all", open, `{"b":1,"a":"x"}`, true},
		{"a name with an escape", open, `{"\u0061":"x"}`, true},
		{"a required one missing", open, `{"b":1}`, false},
		{"no content where one is required", open, ``, false},
		{"empty content where one is required", open, `{}`, false},
		{"no content", closed, ``, true},
		{"empty content", closed, `{}`, true},
		{"content that is null", closed, `null`, false},
		{"content that is a list", closed, `[]`, false},
		{"content that is a string", closed, `"{}"`, false},
		{"a required one twice", open, `{"a":"x","a":"y"}`, false},
		{"twice by an escape", open, `{"a":"x","\u0061":"x"}`, false},
		{"one that has no field", open, `{"a":"","z":"x"}`, true},
		{"one without a field, a number", open, `{"a":"","z":1e400}`, true},
		{"one without a field, yes", open, `{"a":"","z":true}`, true},
		{"one without a field, a list", open, `{"a":"","z":["x",""]}`, true},
		{"one without a field, an object", open, `{"a":"","z":{}}`, false},
		{"one without a field, null", open, `{"a":"","z":null}`, false},
		{"one without a field, a list of numbers", open, `{"a":"","z":["x",1]}`, false},
		{"one without a field twice", open, `{"a":"","z":1,"z":1}`, false},
		{"one without a field in a closed form", closed, `{"z":1}`, false},
		{"a name with half a character", open, `{"a":"","\ud800":1}`, false},
		{"one that is required and has no field", odd, `{"a":"","c":1}`, true},
		{"one that is required and has no field missing", odd, `{"a":""}`, false},
		{"one that is required and has no field, an object", odd, `{"a":"","c":{}}`, false},
		{"one that is required and has no field in a closed form",
			`{"type":"object","properties":{},"required":["c"],"additionalProperties":false}`, `{"c":1}`, false},
		{"additionalProperties that say yes", `{"type":"object","properties":{},"additionalProperties":true}`, `{"c":1}`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := formOf(t, tt.schema)
			m, s := valueIn(t, tt.content)
			if got := f.accepts(m, s); got != tt.want {
				t.Errorf("%s accepts %s: %t, want %t", tt.schema, tt.content, got, tt.want)
			}
		})
	}
}

// req: I04
func TestT121Formats(t *testing.T) {
	for format, tt := range map[string]struct{ valid, invalid []string }{
		"email": {
			[]string{"a@b.example", "a.b+c@x-y.example", "a@localhost", `"a b"@c.example`, `"a\"b"@c.example`, "a@[127.0.0.1]", "a@[IPv6:::1]", "!#$%&'*+-/=?^_`{|}~@b",
				strings.Repeat("a", 64) + "@b"},
			[]string{"", "a", "@b", "a@", "a@b@c", "nomail@", "a b@c", "a..b@c", ".a@b", "a.@b", "a@-b", "a@b-", "a@b..c", "a@b c", "é@b", "a@é", `"a"b"@c`, `"a\"@c`, `"a@b`,
				`"a` + "\n" + `"@b`, "a@[b]", "a@[1.2.3.4", "a@[IPv6:1.2.3.4]", "a@[::1]", "a@[IPv6:fe80::1%x]", "a@b\n", strings.Repeat("a", 65) + "@b", "a@" + strings.Repeat("b.", 126) + "bb"},
		},
		"uri": {
			[]string{"https://a.example/x?y#z", "urn:a:b", "mailto:a@b", "file:///x", "a:", "http://[::1]:80/", "x-y+z.1:%41"},
			[]string{"", "a", "/a", "//a/b", "http://a b", "http://a/é", "a:%4", "a:%zz", "1a:b", ":a", `a:\b`, "http://[::1", "a:<b>", "http://a:x/", "a:b\n"},
		},
		"date": {
			[]string{"2026-11-30", "2024-02-29", "2000-02-29", "0000-01-01", "9999-12-31"},
			[]string{"", "2026-13-01", "2026-00-01", "2026-11-31", "2025-02-29", "1900-02-29", "2026-1-01", "26-01-01", "2026-01-01 ", "2026/01/01", "20260101", "2026-01-01T00:00:00Z", "+2026-01-01", "-026-01-01"},
		},
		"date-time": {
			[]string{"2026-11-30T20:05:00Z", "2026-11-30t20:05:00z", "2026-11-30T20:05:00.123456789123Z", "2026-11-30T20:05:00+01:30", "2026-11-30T20:05:00-23:59",
				"1998-12-31T23:59:60Z", "1998-12-31T15:59:60.5-08:00", "1999-01-01T00:59:60+01:00"},
			[]string{"", "2026-11-30", "2026-11-30T20:05:00", "2026-11-30 20:05:00Z", "2026-11-31T20:05:00Z", "2026-11-30T24:00:00Z", "2026-11-30T20:60:00Z", "2026-11-30T20:05:61Z",
				"2026-11-30T20:05:60Z", "1998-12-31T23:59:60+01:00", "2026-11-30T20:05Z", "2026-11-30T20:05:00.Z", "2026-11-30T20:05:00,5Z", "2026-11-30T20:05:00+0100", "2026-11-30T20:05:00+24:00",
				"2026-11-30T20:05:00+01:60", "2026-11-30T20:05:00ZZ", "2026-11-30T2:05:00Z", "2026-11-30T20:05:0 Z", "2026-11-30T20.05.00Z", "2026-11-30T20:05:00Z ", "2026-11-30T-1:05:00Z", "2026-11-30T20:05:00*01:00"},
		},
	} {
		for _, s := range tt.valid {
			if !formats[format](s) {
				t.Errorf("%q is no %s", s, format)
			}
		}
		for _, s := range tt.invalid {
			if formats[format](s) {
				t.Errorf("%q is a %s", s, format)
			}
		}
	}
	f := formOf(t, formWith(`"a":{"type":"string","format":"email"}`))
	for content, want := range map[string]bool{`{"a":"a\u0040b"}`: true, `{"a":"nomail@"}`: false, `{"a":1}`: false} {
		m, s := valueIn(t, content)
		if got := f.accepts(m, s); got != want {
			t.Errorf("accepts(%s) = %t, want %t", content, got, want)
		}
	}
}

// An answer may be as large as the bounds say, and no larger.
func TestT121Bounds(t *testing.T) {
	f := formOf(t, formWith(`"a":{"type":"array","items":{"enum":["x"]}},"b":{"type":"string","pattern":"(a|b)*c"}`))
	for n := maxContentValues - 1; n <= maxContentValues+1; n++ {
		m, s := valueIn(t, `{"a":[`+strings.TrimSuffix(strings.Repeat(`"x",`, n-1), ",")+`]}`) // the member is one itself
		if got, want := f.accepts(m, s), n <= maxContentValues; got != want {
			t.Errorf("accepts %d values: %t, want %t", n, got, want)
		}
	}
	work := f.fields[f.places["b"]].text.work
	for n, want := range map[int]bool{maxMatchWork / work / 2: true, maxMatchWork/work + 1: false} {
		m, s := valueIn(t, `{"b":"`+strings.Repeat("a", n-1)+`c"}`)
		if got := f.accepts(m, s); got != want {
			t.Errorf("accepts a text of %d bytes for a pattern of %d instructions: %t, want %t", n, work, got, want)
		}
	}
}

func TestDecimal(t *testing.T) {
	inOrder := []string{`-1e9999999999999999999`, `-1e400`, `-10.5`, `-10`, `-1`, `-0.1`, `-1e-400`, `0`, `1e-400`, `0.1`, `0.11`, `1`, `1.000000000000000000001`, `2`, `9.99`, `10`,
		`9007199254740992`, `9007199254740993`, `1e400`, `2e400`, `1e401`}
	same := map[string]string{`1e1`: `10`, `-0`: `0`, `0e5`: `0`, `0.0010`: `1E-3`, `100`: `1e+2`, `12.50`: `1250e-2`, `-5`: `-0.5e1`}
	for i, a := range inOrder {
		for j, b := range inOrder {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := parseDecimal([]byte(a)).compare(parseDecimal([]byte(b))); got != want {
				t.Errorf("compare(%s, %s) = %d, want %d", a, b, got, want)
			}
		}
	}
	for a, b := range same {
		if got := parseDecimal([]byte(a)).compare(parseDecimal([]byte(b))); got != 0 {
			t.Errorf("compare(%s, %s) = %d, want 0", a, b, got)
		}
	}
}

// BenchmarkForm reads a form of 100 fields and an answer to it.
func BenchmarkForm(b *testing.B) {
	var fields, content strings.Builder
	for i := range 25 {
		fmt.Fprintf(&fields, `"s%d":{"type":"string","title":"A name","minLength":1,"maxLength":80,"format":"email"},"n%d":{"type":"integer","minimum":1,"maximum":100},`, i, i)
		fmt.Fprintf(&fields, `"e%d":{"type":"string","enum":["a","b","c"],"enumNames":["A","B","C"]},"m%d":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}},`, i, i)
		fmt.Fprintf(&content, `"s%d":"a@b.example","n%d":7,"e%d":"b","m%d":["a","b"],`, i, i, i, i)
	}
	schema, schemaAt := valueIn(b, formWith(strings.TrimSuffix(fields.String(), ",")))
	answer, contentAt := valueIn(b, `{`+strings.TrimSuffix(content.String(), ",")+`}`)
	b.ReportAllocs()
	for b.Loop() {
		f, ok := readForm(schema, schemaAt, &standard)
		if !ok || !f.accepts(answer, contentAt) {
			b.Fatal("refused")
		}
	}
}
