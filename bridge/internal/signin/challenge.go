package signin

import (
	"net/http"
	"strings"
)

// A Challenge is what a server says about the token that it wants (RFC 6750, RFC 9728).
// The zero Challenge says nothing.
type Challenge struct {
	Bearer           bool   // it wants a bearer token
	ResourceMetadata string // URL of its metadata, or empty
	Scope            string // that the request needs, or empty
	Error            string // such as insufficient_scope, or empty
}

// ParseChallenge reads the WWW-Authenticate lines of a response. The first challenge for
// bearer tokens counts. If it is malformed or names a parameter twice, of its parameters
// nothing counts: then the server's metadata is looked for where it should be.
func ParseChallenge(h http.Header) Challenge {
	size := 0
	for _, line := range h["Www-Authenticate"] {
		if size += len(line); size > maxChallenge {
			return Challenge{}
		}
		if c, found := readChallenges(line); found {
			return c
		}
	}
	return Challenge{}
}

// readChallenges looks for the first bearer challenge in a line (RFC 9110, 11.6.1).
func readChallenges(line string) (c Challenge, found bool) {
	s := &scanner{rest: line}
	for s.elements() {
		scheme := s.token()
		if scheme == "" {
			return c, false // what follows is not told from what is broken
		}
		params, whole := s.parameters()
		if !strings.EqualFold(scheme, "Bearer") {
			if !whole {
				return c, false
			}
			continue
		}
		c.Bearer = true
		if whole {
			c.ResourceMetadata, c.Scope, c.Error = params["resource_metadata"], params["scope"], params["error"]
		}
		return c, true
	}
	return c, false
}

// A scanner reads a header.
type scanner struct{ rest string }

// elements moves to the next element of a list, whose elements may be empty, and reports
// whether there is one.
func (s *scanner) elements() bool {
	s.rest = strings.TrimLeft(s.rest, ", \t")
	return s.rest != ""
}

func (s *scanner) blanks() { s.rest = strings.TrimLeft(s.rest, " \t") }

func (s *scanner) takes(b byte) bool {
	if s.rest == "" || s.rest[0] != b {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

func (s *scanner) token() string { return s.run(isTokenByte) }

func (s *scanner) run(in func(b byte) bool) string {
	n := 0
	for n < len(s.rest) && in(s.rest[n]) {
		n++
	}
	text := s.rest[:n]
	s.rest = s.rest[n:]
	return text
}

// parameters reads what stands behind a scheme, up to the next challenge. Names come in
// lower case. If it is not whole, it is malformed or has a name twice.
func (s *scanner) parameters() (params map[string]string, whole bool) {
	params, whole = make(map[string]string), true
	for first := true; ; first = false {
		before := s.rest
		if first {
			s.blanks()
			if s.isToken68() {
				return params, true
			}
		} else if s.elements() && !strings.Contains(before[:len(before)-len(s.rest)], ",") {
			return params, false // a parameter without a comma before it
		}
		if s.rest == "" || s.rest[0] == ',' && first {
			return params, whole
		}
		name, value, ok := s.parameter()
		if !ok {
			s.rest = before
			return params, whole && isNextChallenge(before, first)
		}
		name = strings.ToLower(name)
		if _, twice := params[name]; twice {
			whole = false
		}
		params[name] = value
	}
}

// isNextChallenge reports whether what follows the parameters is another challenge: a
// comma and a scheme, which no equals sign follows.
func isNextChallenge(rest string, first bool) bool {
	s := &scanner{rest: rest}
	s.blanks()
	if first || !s.takes(',') || !s.elements() || s.token() == "" {
		return false
	}
	return s.rest == "" || s.rest[0] == ' ' || s.rest[0] == '\t' || s.rest[0] == ','
}

// parameter reads name=value. The value may be quoted, and may be empty.
func (s *scanner) parameter() (name, value string, ok bool) {
	if name = s.token(); name == "" {
		return "", "", false
	}
	s.blanks()
	if !s.takes('=') {
		return "", "", false
	}
	s.blanks()
	if s.takes('"') {
		value, ok = s.quoted()
		return name, value, ok
	}
	return name, s.run(isBareByte), true
}

// quoted reads the rest of a quoted string.
func (s *scanner) quoted() (value string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case c == '"':
			s.rest = s.rest[i+1:]
			return b.String(), true
		case c == '\\' && i+1 < len(s.rest):
			i++
			b.WriteByte(s.rest[i])
		case c < ' ' && c != '\t' || c == 0x7F:
			return "", false
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

// isToken68 reports whether a token68 comes, as in a challenge of Negotiate, and takes it.
// It is told from a parameter by what follows its equals signs: nothing.
func (s *scanner) isToken68() bool {
	t := &scanner{rest: s.rest}
	if t.run(isToken68Byte) == "" {
		return false
	}
	t.run(func(b byte) bool { return b == '=' })
	t.blanks()
	if t.rest != "" && t.rest[0] != ',' {
		return false
	}
	if isEmptyParameter(s.rest[:len(s.rest)-len(t.rest)]) {
		return false
	}
	s.rest = t.rest
	return true
}

// isEmptyParameter reports whether a text that can be read as a token68 is a parameter
// without a value, such as realm=, which sloppy servers send.
func isEmptyParameter(text string) bool {
	name, rest, found := strings.Cut(strings.TrimRight(text, " \t"), "=")
	return found && rest == "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") == ""
}

func isAlphanumeric(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

func isTokenByte(b byte) bool {
	return isAlphanumeric(b) || strings.IndexByte("!#$%&'*+-.^_`|~", b) >= 0
}

func isToken68Byte(b byte) bool { return isAlphanumeric(b) || strings.IndexByte("-._~+/", b) >= 0 }

// isBareByte tells what a value without quotes may hold: more than a token, since servers
// leave the quotes of URLs out.
func isBareByte(b byte) bool { return b > ' ' && b < 0x7F && b != ',' && b != '"' }
