package jsonrpc

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A reference is a slow parser that anybody can check: it follows the grammar
// rule by rule, from left to right, and stops at the first fault by a panic.
type reference struct {
	s     string
	depth int
	limit int
	lone  bool
}

// A refMember is a member of an object, its value as it stands.
type refMember struct{ name, value string }

// A refLine is what the reference says of a line.
type refLine struct {
	fault  Fault
	kind   Kind
	values map[string]string // raw values of the envelope and of recorded members
}

func refer(line string, o *ReaderOptions) (r refLine) {
	p := &reference{s: line, limit: o.maxDepth(), lone: o.AllowLoneSurrogates}
	defer func() {
		if f, ok := recover().(Fault); ok {
			r = refLine{fault: f}
		}
	}()
	members := p.value()
	p.space()
	if p.s != "" {
		panic(FaultSyntax)
	}
	return judge(members, o)
}

// judge judges the envelope of a line that is JSON.
func judge(members []refMember, o *ReaderOptions) refLine {
	r := refLine{values: map[string]string{}}
	twice := false
	add := func(m refMember, names ...string) {
		for _, name := range names {
			if _, ok := r.values[name]; m.name == name {
				r.values[name] = m.value
				twice = twice || ok
			}
		}
	}
	for _, m := range members {
		add(m, "jsonrpc", "id", "method", "params", "result", "error")
		if m.name == "params" || m.name == "result" {
			inner := &reference{s: m.value, limit: 1000, lone: true}
			for _, k := range inner.value() {
				add(k, o.Members...)
			}
		}
	}
	if r.kind = r.kindOf(); twice {
		r.fault = FaultDuplicate
	} else if r.kind == 0 {
		r.fault = FaultShape
	}
	return r
}

var legalID = regexp.MustCompile(`^(".*|-?[0-9]+)$`)

// kindOf returns the kind of a line that is JSON, or 0 if its shape is wrong.
func (r *refLine) kindOf() Kind {
	has := func(name string) bool { _, ok := r.values[name]; return ok }
	object := func(name string) bool { return strings.HasPrefix(r.values[name], "{") }
	var version string
	switch {
	case json.Unmarshal([]byte(r.values["jsonrpc"]), &version) != nil || version != "2.0":
		return 0
	case has("id") && !legalID.MatchString(r.values["id"]):
		return 0
	case has("params") && !object("params") || has("error") && !object("error"):
		return 0
	case has("method"):
		switch {
		case r.values["method"][0] != '"' || has("result") || has("error"):
			return 0
		case has("id"):
			return KindRequest
		}
		return KindNotification
	case has("params") || has("result") == has("error") || !has("id"):
		return 0
	}
	return KindResponse
}

func (p *reference) space() { p.s = strings.TrimLeft(p.s, " \t\r\n") }

// take drops what stands next and must match the expression.
func (p *reference) take(re *regexp.Regexp) string {
	found := re.FindString(p.s)
	if found == "" {
		panic(FaultSyntax)
	}
	p.s = p.s[len(found):]
	return found
}

// next drops c if it stands next.
func (p *reference) next(c string) bool {
	rest, ok := strings.CutPrefix(p.s, c)
	p.s = rest
	return ok
}

func (p *reference) must(c string) {
	if !p.next(c) {
		panic(FaultSyntax)
	}
}

var (
	refNumber  = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?`)
	refLiteral = regexp.MustCompile(`^(true|false|null)`)
	refEscape  = regexp.MustCompile(`^\\(["\\/bfnrt]|u[0-9a-fA-F]{4})`)
	refHigh    = regexp.MustCompile(`^\\u[dD][89abAB]`)
	refLow     = regexp.MustCompile(`^\\u[dD][c-fC-F]`)
)

// value parses a value. It returns the members if that is an object.
func (p *reference) value() (members []refMember) {
	p.space()
	switch {
	case p.s == "":
		panic(FaultSyntax)
	case p.s[0] == '{':
		return p.object()
	case p.s[0] == '[':
		p.array()
	case p.s[0] == '"':
		p.str()
	case strings.Contains("tfn", p.s[:1]):
		p.take(refLiteral)
	default:
		p.take(refNumber)
	}
	return nil
}

func (p *reference) enter() {
	if p.depth++; p.depth > p.limit {
		panic(FaultTooDeep)
	}
	p.s = p.s[1:]
	p.space()
}

func (p *reference) object() (members []refMember) {
	p.enter()
	for first := true; !p.next("}"); first = false {
		if !first {
			p.must(",")
			p.space()
		}
		name := p.str()
		p.space()
		p.must(":")
		p.space()
		before := p.s
		p.value()
		members = append(members, refMember{name, before[:len(before)-len(p.s)]})
		p.space()
	}
	p.depth--
	return members
}

func (p *reference) array() {
	p.enter()
	for first := true; !p.next("]"); first = false {
		if !first {
			p.must(",")
		}
		p.value()
		p.space()
	}
	p.depth--
}

// str parses a string and returns its value as encoding/json sees it.
func (p *reference) str() (value string) {
	before := p.s
	p.must(`"`)
	for !p.next(`"`) {
		switch r, n := utf8.DecodeRuneInString(p.s); {
		case r == utf8.RuneError && n < 2 || r < ' ':
			panic(FaultSyntax)
		case r != '\\':
			p.s = p.s[n:]
		case p.lone:
			p.take(refEscape)
		case refHigh.MatchString(p.s):
			p.take(refEscape)
			if !refLow.MatchString(p.s) {
				panic(FaultSyntax)
			}
			p.take(refEscape)
		case refLow.MatchString(p.s):
			panic(FaultSyntax)
		default:
			p.take(refEscape)
		}
	}
	if err := json.Unmarshal([]byte(before[:len(before)-len(p.s)]), &value); err != nil {
		panic(err)
	}
	return value
}
