package jsonrpc

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// breaker makes lines with many ids and breaks some bytes of each.
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

const rightID = `"right"`

// line makes a request whose id stands first or last, or a notification.
func (r breaker) line(place int) []byte {
	params, err := json.Marshal(map[string]any{"id": 7, "x": r.value(0), "y": r.value(0)})
	if err != nil {
		panic(err)
	}
	switch place {
	case idFirst:
		return []byte(`{"jsonrpc":"2.0","id":` + rightID + `,"method":"m","params":` + string(params) + `}`)
	case idLast:
		return []byte(`{"jsonrpc":"2.0","method":"m","params":` + string(params) + `,"id":` + rightID + `}`)
	}
	return []byte(`{"jsonrpc":"2.0","method":"m","params":` + string(params) + `}`)
}

const (
	idFirst = iota
	idLast
	noID
)

// breakOne breaks a byte of the line, but none of the id.
func (r breaker) breakOne(line []byte) []byte {
	at := r.IntN(len(line))
	if id := bytes.Index(line, []byte(rightID)); id >= 0 && at >= id && at < id+len(rightID) {
		return line
	}
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

// T4: a line with up to four broken bytes, cut or not, gives its own id or none, never
// a nested one. One broken byte leaves the id of most lines in which it comes first.
//
// req: W02
func TestT4BrokenByteNeverGivesAnotherID(t *testing.T) {
	r := breaker{rand.New(rand.NewPCG(1, 2))}
	bad, found := 0, 0
	for n := range 120000 {
		place, broken := n%3, 1+n/3%4
		line := r.line(place)
		for range broken {
			line = r.breakOne(line)
		}
		cut := n%8 == 0
		if cut {
			line = line[:r.IntN(len(line))]
		}
		_, err := Parse(line, nil)
		e, ok := err.(*LineError)
		if !ok {
			continue
		}
		if e.ID != nil && (string(e.ID) != rightID || place == noID) {
			t.Fatalf("%s: id %s", line, e.ID)
		}
		if place == idFirst && broken == 1 && !cut {
			bad++
			if e.ID != nil {
				found++
			}
		}
	}
	if found*5 < bad*4 {
		t.Errorf("%d of %d lines gave their id, want four of five", found, bad)
	}
}

// T4: where a part of the line was lost, the id of something nested may stand in the
// envelope. It is not trusted behind a member that the lost part may have begun in.
func TestT4LostPartMovesNoID(t *testing.T) {
	for _, tt := range []struct{ name, line, id string }{
		{"a name was cut", `{"jsonrpc":"2.0","erame":true,"id":7,"a":[1]},"id":5}`, ""},
		{"a value was cut", `{"jsonrpc":"2.0","result":1,"id":7,"a":[1]},"id":5}`, ""},
		{"behind jsonrpc and method", `{"jsonrpc":"2.0","method":"m","id":5,"params":{"id":7}},}`, "5"},
		{"first", `{"id":5,"jsonrpc":"2.0","error":{"id":7}},}`, "5"},
		{"nothing was lost", `{"a":true,"id":5,"jsonrpc":"2.0","result":{"id":"\x"}}`, "5"},
	} {
		_, err := Parse([]byte(tt.line), nil)
		e, ok := err.(*LineError)
		if !ok {
			t.Fatalf("Parse(%s) accepts it", tt.line)
		}
		if string(e.ID) != tt.id {
			t.Errorf("%s: id %q, want %q", tt.name, e.ID, tt.id)
		}
	}
}

// T4: what is deeper than any line may be is passed over wherever the pieces end, and
// does not end before its last bracket.
func TestT4DeeperThanAnyLine(t *testing.T) {
	nest := strings.Repeat(`{"a":[`, maxDepthLimit/2) + `{"b\\\"]}":["]\"}",[]]}` + strings.Repeat(`]}`, maxDepthLimit/2)
	for _, tt := range []struct{ name, line, id string }{
		{"whole", `{"result":` + nest + `,"jsonrpc":"2.0","id":5}`, "5"},
		{"id inside", `{"result":` + strings.ReplaceAll(nest, `[]`, `{"id":7}`) + `,"jsonrpc":"2.0"}`, ""},
		{"a bracket short", `{"result":` + nest[:len(nest)-1] + `,"jsonrpc":"2.0","id":5}`, ""},
		{"a bracket more", `{"result":` + nest + `},"jsonrpc":"2.0","id":5}`, ""},
	} {
		for size := 4; size < len(tt.line)+4; size += 1 + size/4 {
			for _, limit := range []int{6, maxDepthLimit} {
				r := newReader(strings.NewReader(tt.line), &ReaderOptions{MaxDepth: limit}, size, 3)
				_, err := r.Read()
				if e, ok := err.(*LineError); !ok || e.Fault != FaultTooDeep || string(e.ID) != tt.id {
					t.Errorf("%s, buffer %d: %+v, want too deep with id %q", tt.name, size, err, tt.id)
				}
			}
		}
	}
}
