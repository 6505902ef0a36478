package mcpwire

import (
	"bytes"
	"cmp"
	"math"
)

// A decimal is the exact value of a JSON number: 0.digits times ten to the power of
// exp. digits begins and ends with another digit than 0; that of zero is empty.
// 9007199254740993 has a float64 for a neighbour, not for a value, so forms are not
// checked in float64.
type decimal struct {
	negative bool
	digits   string
	exp      int64
}

// maxExponent is where exponents stop to grow. No number of digits that fits a line
// makes up for the difference.
const maxExponent = 1 << 50

// parseDecimal reads a number as JSON writes it.
func parseDecimal(text []byte) decimal {
	rest, negative := bytes.CutPrefix(text, []byte("-"))
	rest, exponent := cutExponent(rest)
	whole, fraction, _ := bytes.Cut(rest, []byte("."))
	digits := append(append(make([]byte, 0, len(whole)+len(fraction)), whole...), fraction...)
	leading := len(digits)
	digits = bytes.TrimLeft(digits, "0")
	leading -= len(digits)
	digits = bytes.TrimRight(digits, "0")
	if len(digits) == 0 {
		return decimal{}
	}
	return decimal{negative, string(digits), exponent + int64(len(whole)-leading)}
}

// cutExponent splits a number at its exponent.
func cutExponent(text []byte) (rest []byte, exponent int64) {
	i := bytes.IndexAny(text, "eE")
	if i < 0 {
		return text, 0
	}
	digits, negative := bytes.CutPrefix(text[i+1:], []byte("-"))
	for _, c := range bytes.TrimPrefix(digits, []byte("+")) {
		exponent = min(exponent*10+int64(c-'0'), maxExponent)
	}
	if negative {
		exponent = -exponent
	}
	return text[:i], exponent
}

// compare returns -1, 0 or 1.
func (d decimal) compare(e decimal) int {
	if s, t := d.sign(), e.sign(); s != t || s == 0 {
		return cmp.Compare(s, t)
	}
	size := cmp.Or(cmp.Compare(d.exp, e.exp), cmp.Compare(d.digits, e.digits))
	return d.sign() * size
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// integral reports whether d has no fraction. 1.0 and 1e3 have none.
func (d decimal) integral() bool { return d.exp >= int64(len(d.digits)) }

// count returns d as a number of things, at most math.MaxInt. It reports false if d
// is negative or has a fraction.
func (d decimal) count() (int, bool) {
	if d.negative || !d.integral() {
		return 0, false
	}
	n := 0
	for i := range d.exp {
		digit := 0
		if i < int64(len(d.digits)) {
			digit = int(d.digits[i] - '0')
		}
		if n > (math.MaxInt-digit)/10 {
			return math.MaxInt, true
		}
		n = n*10 + digit
	}
	return n, true
}
