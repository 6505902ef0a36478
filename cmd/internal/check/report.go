package check

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// A report is lines of a word and what there is to say about it. It holds nothing of a
// URL but the origin, and no secret: it is fit for the report of a bug.
type report struct {
	w   io.Writer
	err error
}

func (r *report) line(word, format string, args ...any) {
	if _, err := fmt.Fprintf(r.w, "%-9s "+format+"\n", append([]any{word}, args...)...); r.err == nil {
		r.err = err
	}
}

// notes writes what the bridge did to what the server sent.
func (r *report) notes(n *notes) {
	for _, note := range n.list() {
		r.line(note.word, "%s", note.text)
	}
}

// maxName bounds what is shown of a name that the server has, in characters.
const maxName = 64

// plain returns text of the server as it can be shown on a terminal.
func plain(text string) string {
	clean := strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return '?'
		}
		return c
	}, text)
	if runes := []rune(clean); len(runes) > maxName {
		clean = string(runes[:maxName]) + "…"
	}
	if clean == "" {
		return "–"
	}
	return clean
}
