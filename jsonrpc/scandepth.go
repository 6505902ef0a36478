package jsonrpc

// open enters the container at b[i].
func (s *scanner) open(obj bool, i int) int {
	if s.depth >= s.limit {
		return s.fail(FaultTooDeep, i)
	}
	s.depth++
	s.opens++
	s.obj[s.depth] = obj
	s.inObj = obj
	s.inHot = false
	if obj && s.depth == s.hot+1 {
		s.enterHot(s.base + i + 1)
	}
	return i + 1
}

// enterHot makes the members of the object that was just entered hot, if it is
// the envelope, or params or result of it.
func (s *scanner) enterHot(off int) {
	switch {
	case s.depth == 1:
		s.hot, s.inHot = 1, true
	case s.depth == 2 && (s.cur == envParams || s.cur == envResult) && s.names.any():
		s.hot, s.inHot = 2, true
		s.prev = off
	}
}

// close leaves a container.
func (s *scanner) close() {
	if s.hot == s.depth {
		s.hot--
	}
	s.depth--
	s.inHot = s.depth <= s.hot
	s.inObj = s.obj[s.depth]
}
