package mcpwire

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// pattern reads the pattern at s. One that is no RE2 asserts nothing (A17). What
// it compiles to is known before it is compiled, since a repetition in a few bytes
// can stand for millions of instructions.
func (r *formReader) pattern(t *formText, s jsonrpc.Span) bool {
	text, ok := r.m.String(s)
	if !ok || len(text) > r.limits.Pattern {
		return false
	}
	if r.work -= parseWork(text); r.work < 0 {
		return false
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return true
	}
	t.work = instructions(tree, r.work)
	if r.work -= t.work; r.work < 0 {
		return false
	}
	t.pattern, err = regexp.Compile(text)
	return err == nil
}

// Classes of characters are long tables, and to fold the case of a range is to look at
// each of its characters; so they weigh more than other bytes, also in what is no RE2
// after all. The figures are instructions.
const (
	tableWork = 256 // \pL and its kind
	foldWork  = 512 // a range in a pattern that folds case somewhere
)

// parseWork returns how much work it is to parse a pattern.
func parseWork(text string) int {
	n := len(text) + tableWork*(strings.Count(text, `\p`)+strings.Count(text, `\P`))
	if foldsCase(text) {
		n += foldWork * strings.Count(text, "-")
	}
	return n
}

// foldsCase reports whether a pattern has a group that sets the flag i.
func foldsCase(text string) bool {
	for {
		_, after, found := strings.Cut(text, "(?")
		if !found {
			return false
		}
		text = strings.TrimLeft(after, "msU-")
		if strings.HasPrefix(text, "i") {
			return true
		}
	}
}

// classRanges is how many ends of ranges in a class weigh as much as one instruction.
const classRanges = 16

// instructions returns about how many instructions a pattern compiles to; over limit,
// any number over it.
func instructions(re *syntax.Regexp, limit int) int {
	n := 1
	switch re.Op {
	case syntax.OpLiteral:
		n += len(re.Rune)
	case syntax.OpCharClass:
		n += len(re.Rune) / classRanges
	}
	for _, sub := range re.Sub {
		if n > limit {
			return n
		}
		n += instructions(sub, limit-n)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1) // at most 1000 each, and the parser bounds their product
	}
	return n
}
