package conformance

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// recorded returns the path of a recording, and what is in it.
func recorded(t *testing.T, name string) (string, []wire.Record) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return path, readRecording(t, path)
}

func readRecording(t *testing.T, name string) []wire.Record {
	t.Helper()
	records, err := wire.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// replay sends the editor's lines of a recording, byte for byte, and returns how
// the answers differ from the recorded ones. Lines that the editor sent in one
// moment go out in one write, once all answers have come that stand before them.
func replay(t *testing.T, e *editor, records []wire.Record) []difference {
	t.Helper()
	var (
		names = map[string]string{} // id to what was asked
		at    time.Time             // of the lines to be sent
		lines []byte
		due   []wire.Record // answers that stand before the next lines
		all   []difference
	)
	next := func() {
		e.write(t, lines)
		lines = nil
		for _, rec := range due {
			id, _ := asked(t, rec.Raw())
			for _, d := range differences(t, rec.Raw(), e.answer(t, id)) {
				d.Request = names[id]
				all = append(all, d)
			}
		}
		due = nil
	}
	for _, rec := range records {
		switch {
		case rec.End:
		case rec.Dir == wire.ToClient:
			due = append(due, rec)
		default:
			if !rec.At.Equal(at) {
				next()
				at = rec.At
			}
			if id, name := asked(t, rec.Raw()); id != "" {
				names[id] = name
			}
			lines = append(append(lines, rec.Raw()...), '\n')
		}
	}
	next()
	return all
}

// asked returns the raw id of a line, and what it asks for.
func asked(t *testing.T, line []byte) (id, name string) {
	t.Helper()
	var f struct {
		ID     json.RawMessage
		Method string
		Params struct{ Cursor string }
	}
	if err := json.Unmarshal(line, &f); err != nil {
		t.Fatalf("line %s: %v", line, err)
	}
	name = f.Method
	if f.Params.Cursor != "" {
		name += " " + f.Params.Cursor
	}
	return string(f.ID), name
}
