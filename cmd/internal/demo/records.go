package demo

import (
	"encoding/json"
	"io"
)

// records shows each step as one line of JSON. Frames are strings, so that they
// hold the bytes that were on the wire, but for what [pageID] stands for.
type records struct {
	enc *json.Encoder
	err error // of the first line that could not be written
}

type stepRecord struct {
	Step  int              `json:"step"`
	Title string           `json:"title"`
	Wires []exchangeRecord `json:"wires"`                // of one exchange after the other
	Ends  bool             `json:"endOfInput,omitempty"` // of the editor, and then of the server
	Why   []reasonRecord   `json:"why"`
}

type exchangeRecord struct {
	Editor wireRecord `json:"editor"`
	Server wireRecord `json:"server"`
}

type wireRecord struct {
	Sent     []string `json:"sent"`
	Received []string `json:"received"`
}

type reasonRecord struct {
	Rule string `json:"rule,omitempty"`
	Text string `json:"text"`
}

type summaryRecord struct {
	Steps     int `json:"steps"`
	Exchanges int `json:"exchanges"`
	Rules     int `json:"rules"`
}

func newRecords(out io.Writer) *records {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return &records{enc: enc}
}

func (r *records) begin() {}

func (r *records) step(n int, s *step, seen []frames) {
	rec := stepRecord{Step: n, Title: s.title, Ends: s.endsInput}
	for i := range seen {
		rec.Wires = append(rec.Wires, exchangeRecord{
			Editor: wireRecord{Sent: list(seen[i].fromEditor), Received: list(seen[i].toEditor)},
			Server: wireRecord{Sent: list(seen[i].fromServer), Received: list(seen[i].toServer)},
		})
	}
	for _, why := range s.why {
		rec.Why = append(rec.Why, reasonRecord{Rule: why.rule, Text: why.text})
	}
	r.write(rec)
}

func (r *records) end(steps, exchanges, rules int) error {
	r.write(summaryRecord{steps, exchanges, rules})
	return r.err
}

func (r *records) write(v any) {
	if err := r.enc.Encode(v); r.err == nil {
		r.err = err
	}
}

// list returns frames as an array that is never null.
func list(frames []string) []string {
	if frames == nil {
		return []string{}
	}
	return frames
}
