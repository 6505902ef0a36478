package demo

import "strings"

// A step is what the script shows one thought with.
type step struct {
	title     string
	exchanges []frames // one after the other
	endsInput bool     // the editor closes its end right after it has sent its last frame
	why       []reason
}

// frames are the lines of one exchange on both wires: what the editor sends, and
// every frame that must then stand there, byte for byte.
type frames struct {
	fromEditor, toServer []string
	fromServer, toEditor []string
}

// A reason says why frames of a step differ, and by which rule. The rule is empty
// where the frames differ for the eye only.
type reason struct {
	text, rule string
}

// lines makes frames of texts that are broken over lines of source code: a line
// end and the white space after it are no part of a frame.
func lines(texts ...string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		for part := range strings.Lines(text) {
			all[i] += strings.TrimSuffix(strings.TrimLeft(part, "\t"), "\n")
		}
	}
	return all
}

// countExchanges returns the number of exchanges in all steps.
func countExchanges(steps []step) int {
	n := 0
	for i := range steps {
		n += len(steps[i].exchanges)
	}
	return n
}

// countRules returns the number of different rules that steps show.
func countRules(steps []step) int {
	rules := map[string]bool{}
	for _, s := range steps {
		for _, r := range s.why {
			if r.rule != "" {
				rules[r.rule] = true
			}
		}
	}
	return len(rules)
}
