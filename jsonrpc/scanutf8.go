package jsonrpc

import "unicode/utf8"

// Text from 0x80 on is checked by a state machine whose states are the offsets
// of six bits in a word: the word of a byte, shifted by the state, gives the next
// state. No branch depends on the text, so it does not matter how scripts mix.
const (
	textOK   = 6 * iota // between characters
	textBad             // not UTF-8, and stays so
	textStop            // a quote, backslash or control character was met, and stays so
	textOne             // one more byte follows
	textTwo
	textThree
	textE0 // after 0xE0: the next byte must not make an overlong form
	textED // after 0xED: nor a surrogate
	textF0 // after 0xF0: as 0xE0
	textF4 // after 0xF4: nor what is above U+10FFFF
)

const textMask = 63

type textTable [256]uint64

var textStates = makeTextStates()

func makeTextStates() (states textTable) {
	for c := range states {
		next := func(from int, ok bool, to int) {
			if !ok {
				to = textBad
			}
			states[c] |= uint64(to) << from
		}
		follows := 0x80 <= c && c < 0xC0
		next(textOK, true, firstState(byte(c)))
		next(textBad, true, textBad)
		next(textStop, true, textStop)
		next(textOne, follows, textOK)
		next(textTwo, follows, textOne)
		next(textThree, follows, textTwo)
		next(textE0, follows && c >= 0xA0, textOne)
		next(textED, follows && c < 0xA0, textOne)
		next(textF0, follows && c >= 0x90, textTwo)
		next(textF4, follows && c < 0x90, textTwo)
	}
	return states
}

// firstState is the state after a byte that stands first.
func firstState(c byte) int {
	switch {
	case plain(c):
		return textOK
	case c < utf8.RuneSelf:
		return textStop
	case c < 0xC2 || c > 0xF4:
		return textBad
	case c < 0xE0:
		return textOne
	case c == 0xE0:
		return textE0
	case c == 0xED:
		return textED
	case c < 0xF0:
		return textTwo
	case c == 0xF0:
		return textF0
	case c == 0xF4:
		return textF4
	}
	return textThree
}

// one returns the length of the character that b begins with, or the length of b if
// there is none that is whole.
func (t *textTable) one(b []byte) int {
	state := uint64(textOK)
	for i, c := range b {
		if state = t[c] >> (state & textMask) & textMask; state == textOK {
			return i + 1
		}
		if state < textOne {
			break
		}
	}
	return len(b)
}

// maxRun bounds a run of text, after which plain text is tried again.
const maxRun = 4096

// runes returns the length of a run of text that b begins with and that holds no
// quote, escape or control character: 0 if b is too short to tell, -1 if it is
// not UTF-8.
func runes(b []byte) int {
	t := &textStates
	if n := t.one(b); n < len(b) && b[n] < utf8.RuneSelf && !plain(b[n]) {
		return n // a single character, for which the blocks below cost too much
	}
	b = b[:min(len(b), maxRun)]
	i, state := 0, uint64(textOK)
	for ; i <= len(b)-8; i += 8 {
		p := (*[8]byte)(b[i:])
		s := t[p[0]] >> (state & textMask)
		s = t[p[1]] >> (s & textMask)
		s = t[p[2]] >> (s & textMask)
		s = t[p[3]] >> (s & textMask)
		s = t[p[4]] >> (s & textMask)
		s = t[p[5]] >> (s & textMask)
		s = t[p[6]] >> (s & textMask)
		s = t[p[7]] >> (s & textMask) & textMask
		if s == textBad || s == textStop {
			break
		}
		state = s
	}
	for ; i < len(b); i++ {
		switch state = t[b[i]] >> (state & textMask) & textMask; state {
		case textBad:
			return -1
		case textStop:
			return i
		}
	}
	if state != textOK {
		i -= cutRune(b)
	}
	return i
}

// cutRune returns how many bytes at the end of b begin a character that goes on
// behind it.
func cutRune(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if utf8.RuneStart(b[len(b)-n]) {
			return n
		}
	}
	return 0
}
