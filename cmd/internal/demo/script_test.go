package demo

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Each reason is one line on a narrow terminal.
func TestReasonsFit(t *testing.T) {
	for _, s := range script {
		if len(s.why) == 0 {
			t.Errorf("step %q names no rule", s.title)
		}
		for _, r := range s.why {
			var out strings.Builder
			newTable(&out, minWidth, false).step(1, &step{why: []reason{r}}, nil)
			for line := range strings.Lines(out.String()) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > minWidth {
					t.Errorf("%d columns, want at most %d: %s", n, minWidth, line)
				}
			}
		}
	}
}

func TestTableFits(t *testing.T) {
	for _, width := range []int{minWidth, DefaultWidth, maxWidth} {
		var out strings.Builder
		table := newTable(&out, width, false)
		table.begin()
		for i := range script {
			table.step(i+1, &script[i], script[i].exchanges)
		}
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("%d columns, want at most %d: %s", n, width, line)
			}
		}
	}
}

func TestTableColour(t *testing.T) {
	for _, tt := range []struct {
		name  string
		color bool
	}{{"plain", false}, {"coloured", true}} {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			table := newTable(&out, DefaultWidth, tt.color)
			table.step(1, &script[0], script[0].exchanges)
			if got := strings.Contains(out.String(), "\x1b["); got != tt.color {
				t.Errorf("output has colour: %v, want %v", got, tt.color)
			}
		})
	}
}
