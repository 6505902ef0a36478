package jsonrpc

// A numState says where in a number the scanner is.
type numState uint8

const (
	numStart numState = iota // sign or first digit
	numMinus                 // first digit
	numZero                  // after a leading zero
	numInt                   // in the integer part
	numDot                   // first digit of the fraction
	numFrac                  // in the fraction
	numExp                   // sign or first digit of the exponent
	numSign                  // first digit of the exponent
	numPow                   // in the exponent
	numBad
)

// numClass is the class of a byte in a number: other, zero, other digits, minus,
// plus, point, e.
var numClass = [256]uint8{'0': 1, '1': 2, '2': 2, '3': 2, '4': 2, '5': 2, '6': 2, '7': 2, '8': 2, '9': 2, '-': 3, '+': 4, '.': 5, 'e': 6, 'E': 6}

// numNext gives the state after a byte of a class. A byte of class other ends
// the number, as does one that would be bad where the number may end.
var numNext = [numBad][8]numState{
	numStart: {numBad, numZero, numInt, numMinus, numBad, numBad, numBad, numBad},
	numMinus: {numBad, numZero, numInt, numBad, numBad, numBad, numBad, numBad},
	numZero:  {numBad, numBad, numBad, numBad, numBad, numDot, numExp, numBad},
	numInt:   {numBad, numInt, numInt, numBad, numBad, numDot, numExp, numBad},
	numDot:   {numBad, numFrac, numFrac, numBad, numBad, numBad, numBad, numBad},
	numFrac:  {numBad, numFrac, numFrac, numBad, numBad, numBad, numExp, numBad},
	numExp:   {numBad, numPow, numPow, numSign, numSign, numBad, numBad, numBad},
	numSign:  {numBad, numPow, numPow, numBad, numBad, numBad, numBad, numBad},
	numPow:   {numBad, numPow, numPow, numBad, numBad, numBad, numBad, numBad},
}

// complete reports whether a number may end in state n.
func (n numState) complete() bool {
	return n == numZero || n == numInt || n == numFrac || n == numPow
}

// scalar scans the number or literal that begins with c at b[i]. It returns
// atNext behind it, else the state that it is left in.
func (s *scanner) scalar(i int, c byte) (int, state) {
	st := inNumber
	switch {
	case c-'1' < 9:
		s.num = numInt
		if i = digits(s.b, i+1); uint(i) < uint(len(s.b)) && numClass[s.b[i]] == 0 {
			return i, atNext
		}
		i = s.number(i)
	case c == '0' || c == '-':
		s.num = numStart
		i = s.number(i)
	case c == 't' || c == 'f' || c == 'n':
		s.lit, s.litAt = literals[c>>3&3], 0
		i = s.literal(i)
		st = inLiteral
	default:
		return i, atValue
	}
	if i >= 0 {
		st = atNext
	}
	return i, st
}

// digits returns the offset of the first byte from i on that is no digit.
func digits(b []byte, i int) int {
	for uint(i) < uint(len(b)) && b[i]-'0' <= 9 {
		i++
	}
	return i
}

// number scans a number from b[i], which may go on in the next piece.
func (s *scanner) number(i int) int {
	n, b := s.num, s.b
	if n == numInt {
		i = digits(b, i)
	}
	for ; uint(i) < uint(len(b)); i++ {
		next := numNext[n][numClass[b[i]]&7]
		if next == numBad {
			if s.num = n; n.complete() {
				return i
			}
			return s.fail(FaultSyntax, i)
		}
		n = next
	}
	s.num = n
	return incomplete
}

// literals are indexed by two bits of their first byte, which differ.
var literals = [4]string{'t' >> 3 & 3: "true", 'f' >> 3 & 3: "false", 'n' >> 3 & 3: "null"}

// literal scans a literal from b[i].
func (s *scanner) literal(i int) int {
	if end := i + len(s.lit); s.litAt == 0 && end <= len(s.b) && string(s.b[i:end]) == s.lit {
		return end
	}
	for ; s.litAt < len(s.lit); i++ {
		switch {
		case i >= len(s.b):
			return incomplete
		case s.b[i] != s.lit[s.litAt]:
			return s.fail(FaultSyntax, i)
		}
		s.litAt++
	}
	return i
}
