// Package playback plays the editor of a recorded session to a bridge, and says
// where the session through the bridge departs from the recorded one.
package playback

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/trestle-mcp/trestle/conformance/internal/compare"
	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// A player is one run of [Play].
type player struct {
	in  io.WriteCloser
	out *bufio.Reader

	ids  map[string]json.RawMessage // the bridge's id of a question, by the recorded one
	back map[string]string          // the recorded value, by the raw id or elicitationId of the bridge
	seen []Departure
}

// Play writes the editor's lines of a recording to in, as they are but for the ids
// of what the bridge has asked, and reads the bridge's lines from out. Lines that
// the editor sent in one moment go out in one write, once all lines of the bridge
// have come that stand before them.
//
// The departures whose Path is empty say which lines do not come, come in addition,
// or come at another place. Play returns all that it has seen, without reasons; the
// error says that the session could not be played to its end.
func Play(in io.WriteCloser, out *bufio.Reader, records []wire.Record, plan []Departure) ([]Departure, error) {
	script, err := arrange(records, plan)
	if err != nil {
		return nil, err
	}
	p := &player{in: in, out: out, ids: map[string]json.RawMessage{}, back: map[string]string{}}
	p.seen = script.changed
	var (
		at    time.Time // of the lines to be sent
		lines []byte
		due   []line
	)
	for _, l := range script.lines {
		if l.dir == wire.ToClient {
			due = append(due, l)
			continue
		}
		if !l.at.Equal(at) {
			if err := p.step(lines, due); err != nil {
				return nil, err
			}
			at, lines, due = l.at, nil, nil
		}
		if lines, err = p.appendLine(lines, l); err != nil {
			return nil, err
		}
	}
	if err := p.step(lines, due); err != nil {
		return nil, err
	}
	return p.seen, nil
}

// appendLine adds a line of the editor to those that go out at once.
func (p *player) appendLine(lines []byte, l line) ([]byte, error) {
	if l.end {
		if err := p.in.Close(); err != nil {
			return nil, fmt.Errorf("%s: %w", l.label, err)
		}
		return lines, nil
	}
	raw := l.raw
	if l.answers != "" {
		id, ok := p.ids[l.answers]
		if !ok {
			return nil, fmt.Errorf("%s: nothing was asked", l.label)
		}
		raw = bytes.Replace(raw, []byte(`"id":`+l.answers), slices.Concat([]byte(`"id":`), id), 1)
	}
	return append(append(lines, raw...), '\n'), nil
}

// step sends lines, and reads what is due then.
func (p *player) step(lines []byte, due []line) error {
	if len(lines) > 0 {
		if _, err := p.in.Write(lines); err != nil {
			return fmt.Errorf("send %s: %w", lines, err)
		}
	}
	for _, l := range due {
		got, err := p.out.ReadBytes('\n')
		switch {
		case l.end && errors.Is(err, io.EOF) && len(got) == 0:
		case l.end:
			return fmt.Errorf("%s: got %q, %w", l.label, got, err)
		case err != nil:
			return fmt.Errorf("wait for %s: got %q, %w", l.label, got, err)
		default:
			if err := p.compare(l, got); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare adds to what was seen how the line that came differs from the recorded
// one. It is an error if it is another line.
func (p *player) compare(l line, got []byte) error {
	a, err := parse(l.raw)
	if err != nil {
		return fmt.Errorf("%s: %w", l.label, err)
	}
	b, err := parse(got)
	if err != nil {
		return fmt.Errorf("%s: %w", l.label, err)
	}
	if a.Method != b.Method || a.Method == "" && !bytes.Equal(a.ID, b.ID) {
		return fmt.Errorf("want %s, got %s", l.label, got)
	}
	p.rename(a, b)
	if a.Error != nil || b.Error != nil {
		if x, y := a.outcome(), b.outcome(); x != y {
			p.seen = append(p.seen, Departure{Line: l.label, Path: "error", Recorded: x, Got: y})
			return nil
		}
	}
	return p.differences(l, got)
}

func (p *player) differences(l line, got []byte) error {
	a, err := compare.Flatten(l.raw)
	if err != nil {
		return fmt.Errorf("%s: %w", l.label, err)
	}
	b, err := compare.Flatten(got)
	if err != nil {
		return fmt.Errorf("%s: %w", l.label, err)
	}
	for _, path := range named {
		if recorded, ok := p.back[b[path]]; ok {
			b[path] = recorded
		}
	}
	for _, d := range compare.Differences(a, b) {
		p.seen = append(p.seen, Departure{Line: l.label, Path: d.Path, Recorded: d.A, Got: d.B})
	}
	return nil
}

// named are the paths of what the bridge gives names of its own.
var named = []string{"id", "params.requestId", "params.elicitationId"}

// rename learns the names in a line of the bridge. What is recorded was made by the
// server, what came by the bridge: they differ, and nobody looks into them.
func (p *player) rename(recorded, got *frame) {
	if got.Method != "" && got.ID != nil {
		p.ids[string(recorded.ID)] = got.ID
		p.back[string(got.ID)] = string(recorded.ID)
		if got.Params.ElicitationID != nil {
			p.back[string(got.Params.ElicitationID)] = string(recorded.Params.ElicitationID)
		}
	}
}

// A frame is what is looked at in a line.
type frame struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name, Cursor             string
		RequestID, ElicitationID json.RawMessage
	}
	Error *struct {
		Code int
		Data struct{ Cause string }
	}
}

func parse(raw []byte) (*frame, error) {
	f := new(frame)
	if err := json.Unmarshal(raw, f); err != nil {
		return nil, fmt.Errorf("line %s: %w", raw, err)
	}
	return f, nil
}

// outcome is what kind of an answer the frame is.
func (f *frame) outcome() string {
	switch {
	case f.Error == nil:
		return "a result"
	case f.Error.Data.Cause == "":
		return fmt.Sprint(f.Error.Code)
	}
	return fmt.Sprint(f.Error.Code, " ", f.Error.Data.Cause)
}
