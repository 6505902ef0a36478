package demo

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLayout(t *testing.T) {
	for _, tt := range []struct {
		name  string
		frame string
		width int
		want  []string
	}{
		{"fits", `{"a":1}`, 20, []string{`{"a":1}`}},
		{"breaks between members", `{"a":1,"b":2,"c":3}`, 12, []string{`{"a":1,`, ` "b":2,`, ` "c":3}`}},
		{"fills lines", `{"a":1,"b":2,"c":3}`, 14, []string{`{"a":1,"b":2,`, ` "c":3}`}},
		{"indents what is inside", `{"aa":1,"p":{"b":[1,2],"c":3}}`, 16, []string{`{"aa":1,`, ` "p":{"b":[1,2],`, `  "c":3}}`}},
		{"brackets in strings are text", `{"a":"}{,[","b":2}`, 13, []string{`{"a":"}{,[",`, ` "b":2}`}},
		{"breaks after a name before it cuts", `{"a":1,"bcd":"01 34"}`, 11, []string{`{"a":1,`, ` "bcd":`, `  "01 34"}`}},
		{"cuts no name of what is inside", `{"aa":{"bcdefgh":{"i":[1,2,3]}}}`, 14, []string{`{"aa":{`, `  "bcdefgh":{`, `   "i":[1,2,`, `    3]}}}`}},
		{"cuts a long string", `{"a":"0123456789"}`, 10, []string{`{"a":"0123`, ` 456789"}`}},
		{"cuts between words", `{"a":"01 34 67 89"}`, 13, []string{`{"a":"01 34 `, ` 67 89"}`}},
		{"cuts what is no JSON", `{"a":"012345678`, 10, []string{`{"a":"0123`, `45678`}},
		{"escaped quotes", `{"a":"\"},{","b":2}`, 14, []string{`{"a":"\"},{",`, ` "b":2}`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := layout(tt.frame, tt.width); !slices.Equal(got, tt.want) {
				t.Errorf("layout(%s, %d) =\n%s\nwant\n%s", tt.frame, tt.width,
					strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// No byte of a frame of the script is lost or moved, and no line is too long.
func TestLayoutKeepsAllBytes(t *testing.T) {
	for _, s := range script {
		for _, f := range s.exchanges {
			for _, frame := range slices.Concat(f.fromEditor, f.toServer, f.fromServer, f.toEditor) {
				checkLayout(t, frame)
			}
		}
	}
}

func checkLayout(t *testing.T, frame string) {
	t.Helper()
	for width := 30; width <= 60; width++ {
		got := layout(frame, width)
		var joined strings.Builder
		for _, line := range got {
			if n := utf8.RuneCountInString(line); n > width {
				t.Errorf("layout(%s, %d) has a line of %d columns: %s", frame, width, n, line)
			}
			joined.WriteString(strings.TrimLeft(line, " "))
		}
		if g, w := strings.ReplaceAll(joined.String(), " ", ""), strings.ReplaceAll(frame, " ", ""); g != w {
			t.Errorf("layout(%s, %d) = %q", frame, width, got)
		}
	}
}
