package demo

import "strings"

// The prefix of the protocol's own keys, and what stands for it in the table.
const (
	reservedPrefix = `"io.modelcontextprotocol/`
	shortPrefix    = `"io.mcp/`
	ellipsis       = "…"
)

// A shortener makes frames short enough for a column: the long prefix becomes a
// short one, and a member with it is shown once.
type shortener struct {
	shown map[string]bool
}

func newShortener() *shortener { return &shortener{shown: map[string]bool{}} }

func (s *shortener) shorten(frame string) string {
	var out strings.Builder
	for {
		head, rest, ok := strings.Cut(frame, reservedPrefix)
		out.WriteString(head)
		if !ok {
			break
		}
		end := memberEnd(rest)
		if member := rest[:end]; s.shown[member] {
			out.WriteString(ellipsis)
		} else {
			s.shown[member] = true
			out.WriteString(shortPrefix + member)
		}
		frame = rest[end:]
	}
	short := out.String()
	for strings.Contains(short, ellipsis+","+ellipsis) {
		short = strings.ReplaceAll(short, ellipsis+","+ellipsis, ellipsis)
	}
	return short
}

// memberEnd returns the length of the member of which s holds all but the start of
// its name.
func memberEnd(s string) int {
	name := strings.IndexByte(s, '"') + 1
	end := len(s)
	walk(s[name:], func(i, depth int) {
		if c := s[name+i]; end == len(s) && (depth < 0 || depth == 0 && c == ',') {
			end = name + i
		}
	})
	return end
}
