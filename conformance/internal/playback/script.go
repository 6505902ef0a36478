package playback

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/conformance/internal/compare"
	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// A Departure is where a session through a bridge departs from the recorded one.
type Departure struct {
	// Line names a line: "18 url" is the answer to the request 18, a call of the
	// tool url, "18 url: roots/list" what was asked in that call, and the same with
	// "> " before it a line of the editor. What comes again has a number behind it.
	Line string

	// Path is that of a value in the line; "error" if the one has an error that the
	// other has not. It is empty for the line as a whole.
	Path string

	// Recorded and Got are JSON values, or "object", "array of …" or "absent". For
	// a line as a whole they say where it comes: "absent", "before LINE", or "in its
	// place".
	Recorded, Got string

	// Text is the line that came in addition.
	Text string

	Reason string
}

// In a Departure of a whole line.
const (
	InPlace = "in its place"
	Absent  = compare.Absent
)

// A line is one of a session as it is to be played.
type line struct {
	label   string
	dir     wire.Dir
	at      time.Time
	raw     []byte
	end     bool
	answers string // raw id of the question that a line of the editor answers
}

type script struct {
	lines   []line
	changed []Departure // of whole lines
}

// arrange puts the lines of a recording in the order in which they are to come.
func arrange(records []wire.Record, plan []Departure) (*script, error) {
	lines, batches, err := label(records)
	if err != nil {
		return nil, err
	}
	s := &script{lines: lines, changed: batches}
	absent := map[string]bool{}
	for _, d := range plan {
		place, moved := strings.CutPrefix(d.Got, "before ")
		switch {
		case d.Path != "":
			continue
		case d.Got == Absent:
			absent[d.Line] = true
		case moved:
			err = s.move(d, place)
		default:
			continue
		}
		if err != nil {
			return nil, err
		}
		s.changed = append(s.changed, Departure{Line: d.Line, Recorded: d.Recorded, Got: d.Got, Text: d.Text})
	}
	return s, s.leaveOut(absent)
}

// move puts a line, which may come in addition, before another one.
func (s *script) move(d Departure, place string) error {
	l := line{label: d.Line, dir: wire.ToClient, raw: []byte(d.Text)}
	if d.Recorded != Absent {
		i := s.index(d.Line)
		if i < 0 {
			return fmt.Errorf("no line %s", d.Line)
		}
		l = s.lines[i]
		s.lines = slices.Delete(s.lines, i, i+1)
	}
	i := s.index(place)
	if i < 0 {
		return fmt.Errorf("no line %s", place)
	}
	s.lines = slices.Insert(s.lines, i, l)
	return nil
}

func (s *script) index(label string) int {
	return slices.IndexFunc(s.lines, func(l line) bool { return l.label == label })
}

// leaveOut takes the lines out that do not come, and the editor's answers to them.
func (s *script) leaveOut(absent map[string]bool) error {
	unasked := map[string]bool{}
	s.lines = slices.DeleteFunc(s.lines, func(l line) bool {
		if l.answers != "" && unasked[l.answers] {
			return true
		}
		if !absent[l.label] {
			return false
		}
		delete(absent, l.label)
		if f, err := parse(l.raw); err == nil && f.Method != "" {
			unasked[string(f.ID)] = true
		}
		return true
	})
	for name := range absent {
		return fmt.Errorf("no line %s", name)
	}
	return nil
}

// label names the lines of a recording. Several messages in one line become lines
// of their own.
func label(records []wire.Record) ([]line, []Departure, error) {
	n := namer{requests: map[string]string{}, taken: map[string]int{}}
	var (
		lines   []line
		batches []Departure
	)
	for _, rec := range records {
		if rec.End {
			lines = append(lines, line{label: string(rec.Dir) + " end", dir: rec.Dir, at: rec.At, end: true})
			continue
		}
		raws := []json.RawMessage{rec.Raw()}
		batch := rec.Raw()[0] == '['
		if batch {
			if err := json.Unmarshal(rec.Raw(), &raws); err != nil {
				return nil, nil, err
			}
		}
		for _, raw := range raws {
			f, err := parse(raw)
			if err != nil {
				return nil, nil, err
			}
			l := line{dir: rec.Dir, at: rec.At, raw: raw}
			n.name(&l, f)
			lines = append(lines, l)
			if batch {
				batches = append(batches, Departure{Line: l.label, Recorded: "in one line with others", Got: InPlace})
			}
		}
	}
	return lines, batches, nil
}

// A namer names lines in their order.
type namer struct {
	requests map[string]string // the name of an editor's request, by its raw id
	last     string            // the request that came last
	taken    map[string]int
}

func (n *namer) name(l *line, f *frame) {
	id := string(f.ID)
	var name string
	switch {
	case l.dir == wire.ToServer && f.Method != "" && f.ID != nil:
		what := f.Method
		if f.Params.Name != "" && f.Method == "tools/call" {
			what = f.Params.Name
		}
		n.last = strings.TrimSpace(fmt.Sprint(id, " ", what, " ", f.Params.Cursor))
		n.requests[id] = n.last
		name = "> " + n.last
	case l.dir == wire.ToServer && f.Method == "":
		l.answers = id
		name = "> " + n.last + ": answer"
	case l.dir == wire.ToServer:
		name = "> " + n.last + ": " + f.Method
	case f.Method == "":
		name = n.requests[id]
	default:
		name = n.last + ": " + f.Method
	}
	if n.taken[name]++; n.taken[name] > 1 {
		name = fmt.Sprint(name, " ", n.taken[name])
	}
	l.label = name
}
