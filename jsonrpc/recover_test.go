package jsonrpc

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// breaker makes lines with many ids and breaks one byte of each.
type breaker struct{ *rand.Rand }

func (r breaker) value(depth int) any {
	switch r.IntN(6) {
	case 0:
		return r.IntN(100)
	case 1:
		return "te\"x\t {\"id\":8}"
	case 2, 3, 4:
		if depth > 3 {
			return nil
		}
		return map[string]any{"id": r.IntN(9), "a": r.value(depth + 1), "z": []any{r.value(depth + 1)}}
	}
	return "short"
}

func (r breaker) line(last bool) []byte {
	params, err := json.Marshal(map[string]any{"id": 7, "x": r.value(0), "y": r.value(0)})
	if err != nil {
		panic(err)
	}
	if last {
		return []byte(`{"jsonrpc":"2.0","method":"m","params":` + string(params) + `,"id":"right"}`)
	}
	return []byte(`{"jsonrpc":"2.0","id":"right","method":"m","params":` + string(params) + `}`)
}

func (r breaker) breakOne(line []byte) []byte {
	at := r.IntN(len(line))
	c := "{}[]\",:\\x1"[r.IntN(10)]
	switch r.IntN(3) {
	case 0:
		return append(line[:at:at], line[at+1:]...)
	case 1:
		line[at] = c
		return line
	}
	return append(line[:at:at], append([]byte{c}, line[at:]...)...)
}

// T4: a line with one broken byte, cut or not, gives its own id or none, never a
// nested one, and most whole ones give it.
//
// req: W02
func TestT4BrokenByteNeverGivesAnotherID(t *testing.T) {
	r := breaker{rand.New(rand.NewPCG(1, 2))}
	bad, found := 0, 0
	for n := range 40000 {
		line := r.breakOne(r.line(n%2 == 0))
		cut := n%4 < 2
		if cut {
			line = line[:r.IntN(len(line))]
		}
		_, err := Parse(line, nil)
		e, ok := err.(*LineError)
		if !ok || cut && bytes.HasPrefix(e.ID, []byte(`"`)) { // the broken byte may lie in the id
			continue
		}
		switch string(e.ID) {
		case `"right"`:
			found++
		case "":
		default:
			t.Fatalf("%s: id %s", line, e.ID)
		}
		if !cut {
			bad++
		}
	}
	if found*2 < bad {
		t.Errorf("%d of %d lines gave their id, want most", found, bad)
	}
}
