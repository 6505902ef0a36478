package demo

// A palette says whether text is coloured. Without colour it changes nothing.
type palette bool

func (p palette) sgr(code, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p palette) strong(s string) string { return p.sgr("1", s) }
func (p palette) faint(s string) string  { return p.sgr("2", s) }
func (p palette) mark(s string) string {
	if s == markNone {
		return s
	}
	return p.sgr("36", s)
}
func (p palette) rule(s string) string { return p.sgr("32", s) }
