package demo

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Marks in front of a frame: the way that a message takes.
const (
	markRequest = "→ "
	markAnswer  = "← "
	markNone    = "  "
)

// What stands in a column that has no frame.
const (
	nothing    = "(nothing)"
	endOfInput = "(end of input)"
)

// A table shows the wires as two columns: the editor's on the left, the server's
// on the right. A request is read from left to right, its answer back.
type table struct {
	out    io.Writer
	paint  palette
	width  int
	column int // width of one column, without its mark
	short  *shortener
}

const (
	margin = 1 // in front of each row
	gap    = 2 // between the columns
)

func newTable(out io.Writer, width int, color bool) *table {
	column := (width - margin - gap - 2*utf8.RuneCountInString(markNone)) / 2
	return &table{out: out, paint: palette(color), width: width, column: column, short: newShortener()}
}

func (t *table) begin() {
	t.paragraph("An editor that speaks MCP 2025-11-25 on the left, a server that speaks only " +
		"2026-07-28 on the right, and the bridge between them: → goes from left to right, ← comes back. " +
		"These frames were on the wire just now; here they are broken into lines and shortened.")
	t.paragraph("Shortened: io.mcp/ stands for io.modelcontextprotocol/, and … for members under " +
		"such a name that were shown before. With --json they are whole. e-random stands for a random id, there too.")
	t.paragraph(`(T80) is the number of a rule: git grep -E "T80($|[^0-9])" finds its code and test.`)
	fmt.Fprintln(t.out)
	t.row(markNone, []string{"EDITOR  2025-11-25"}, markNone, []string{"SERVER  2026-07-28"}, t.paint.strong)
}

func (t *table) step(n int, s *step, seen []frames) {
	head := fmt.Sprintf("%2d  %s ", n, s.title)
	line := strings.Repeat("─", max(0, t.width-margin-utf8.RuneCountInString(head)))
	fmt.Fprintf(t.out, "\n%*s%s%s\n", margin, "", t.paint.strong(head), t.paint.faint(line))
	for i := range seen {
		if i > 0 {
			fmt.Fprintln(t.out)
		}
		t.exchange(&seen[i], s.endsInput && i == len(s.exchanges)-1)
	}
	for i, r := range s.why {
		label := "     "
		if i == 0 {
			label = "why  "
		}
		rule := ""
		if r.rule != "" {
			rule = " " + t.paint.rule("("+r.rule+")")
		}
		fmt.Fprintf(t.out, "%*s%s%s%s\n", margin+2, "", t.paint.faint(label), r.text, rule)
	}
}

// exchange shows the frames of f; ends says that the inputs ended with it.
func (t *table) exchange(f *frames, ends bool) {
	t.pair(markRequest, f.fromEditor, f.toServer, nothing)
	if ends {
		t.row(markRequest, []string{endOfInput}, markNone, nil, nil)
	}
	if len(f.fromServer)+len(f.toEditor) > 0 {
		t.pair(markAnswer, f.toEditor, f.fromServer, "")
	}
	if ends { // this one comes after the answer
		t.row(markNone, nil, markRequest, []string{endOfInput}, nil)
	}
}

func (t *table) end(steps, exchanges, rules int) error {
	_, err := fmt.Fprintf(t.out, "\n%*s%s\n", margin, "",
		t.paint.strong(fmt.Sprintf("%d steps, %d exchanges, %d rules shown: every frame was the expected one", steps, exchanges, rules)))
	return err
}

// pair writes the frames of both wires beside each other; none is the text for a
// wire without any.
func (t *table) pair(mark string, editor, server []string, none string) {
	for i := range max(len(editor), len(server), 1) {
		left, leftMark := t.cell(mark, editor, i, none)
		right, rightMark := t.cell(mark, server, i, none)
		t.row(leftMark, left, rightMark, right, nil)
	}
}

func (t *table) cell(mark string, list []string, i int, none string) ([]string, string) {
	switch {
	case i < len(list):
		return layout(t.short.shorten(list[i]), t.column), mark
	case i == 0:
		return []string{none}, markNone
	}
	return nil, markNone
}

// row writes one cell of each column. paint, if not nil, colours the texts.
func (t *table) row(leftMark string, left []string, rightMark string, right []string, paint func(string) string) {
	for i := range max(len(left), len(right)) {
		l, r := at(left, i), at(right, i)
		pad := strings.Repeat(" ", t.column-utf8.RuneCountInString(l)+gap)
		if r == "" {
			pad, rightMark = "", ""
		}
		text := fmt.Sprintf("%*s%s%s%s%s%s", margin, "",
			t.paint.mark(leftMark), t.text(l, paint), pad, t.paint.mark(rightMark), t.text(r, paint))
		fmt.Fprintln(t.out, strings.TrimRight(text, " "))
		leftMark, rightMark = markNone, markNone
	}
}

func (t *table) text(s string, paint func(string) string) string {
	switch {
	case paint != nil:
		return paint(s)
	case s == nothing || s == endOfInput:
		return t.paint.faint(s)
	}
	return s
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// paragraph writes text, broken between words.
func (t *table) paragraph(text string) {
	line := strings.Repeat(" ", margin)
	for word := range strings.FieldsSeq(text) {
		if utf8.RuneCountInString(line)+utf8.RuneCountInString(word) >= t.width {
			fmt.Fprintln(t.out, strings.TrimRight(line, " "))
			line = strings.Repeat(" ", margin)
		}
		line += word + " "
	}
	fmt.Fprintln(t.out, strings.TrimRight(line, " "))
}
