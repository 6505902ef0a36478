package mcpwire

import (
	"regexp"
	"regexp/syntax"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// pattern reads the pattern at s. One that is no RE2 asserts nothing (A17). What
// it compiles to is known before it is compiled, since a repetition in a few bytes
// can stand for millions of instructions.
func (r *formReader) pattern(t *formText, s jsonrpc.Span) bool {
	text, ok := r.m.String(s)
	if !ok || len(text) > maxPattern {
		return false
	}
	r.work -= len(text)
	if r.work < 0 {
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
