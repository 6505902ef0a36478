package jsonrpc

// finish ends the line and returns its fault. It must not be called after feed
// met one.
func (s *scanner) finish() Fault {
	if s.state == inNumber && s.depth == 0 && s.num.complete() {
		s.state = atEnd
	}
	switch {
	case s.state != atEnd:
		return FaultSyntax
	case s.twice&^envOther != 0 || s.twiceRec:
		return FaultDuplicate
	case !s.shaped():
		return FaultShape
	}
	return 0
}

// blank reports whether the line holds white space only.
func (s *scanner) blank() bool { return s.state == atValue && s.depth == 0 && s.fault == 0 }

// shaped reports whether the line is a JSON-RPC message, and sets its kind.
func (s *scanner) shaped() bool {
	m := s.m
	if !m.isVersion(s.version) {
		return s.batches && m.isBatch()
	}
	if s.seen.has(envMethod) {
		return s.shapedCall()
	}
	if s.seen.has(envParams) || s.seen.has(envResult) == s.seen.has(envError) {
		return false
	}
	m.Kind = KindResponse
	return (m.Error.IsZero() || m.First(m.Error) == '{') && s.legalID()
}

// isBatch reports whether the line is an array, and sets its kind.
func (m *Message) isBatch() bool {
	array := Span{End: m.n}
	for isSpace(m.Byte(array.Off)) {
		array.Off++
	}
	for isSpace(m.Byte(array.End - 1)) {
		array.End--
	}
	if m.First(array) != '[' {
		return false
	}
	m.Kind, m.Batch = KindBatch, array
	return true
}

// isVersion is Is for "2.0", with a short way for the usual spelling.
func (m *Message) isVersion(s Span) bool {
	if m.big == nil && string(m.flat[s.Off:s.End]) == `"2.0"` {
		return true
	}
	return m.Is(s, "2.0")
}

// shapedCall is shaped for requests and notifications.
func (s *scanner) shapedCall() bool {
	m := s.m
	switch {
	case s.seen.has(envResult), s.seen.has(envError):
		return false
	case m.First(m.Method) != '"':
		return false
	case !m.Params.IsZero() && m.First(m.Params) != '{':
		return false
	case m.ID.IsZero():
		m.Kind = KindNotification
		return true
	}
	m.Kind = KindRequest
	return s.legalID()
}

// legalID reports whether the id is a string or an integer.
func (s *scanner) legalID() bool {
	switch c := s.m.First(s.m.ID); {
	case c == '"':
		return true
	case c == '-' || '0' <= c && c <= '9':
		return s.idNum == numInt || s.idNum == numZero
	}
	return false
}

// isInteger reports whether a part of a JSON number holds no fraction and no
// exponent.
func isInteger(part []byte) bool {
	for _, c := range part {
		if c == '.' || c|0x20 == 'e' {
			return false
		}
	}
	return true
}
