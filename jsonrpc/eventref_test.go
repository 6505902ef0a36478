package jsonrpc

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A refStream is what a slow parser of event streams, which anybody can check, finds.
type refStream struct {
	data   []string // of each event that is a message, its lines joined
	lastID string
	retry  time.Duration
}

var lineEnding = regexp.MustCompile(`\r\n|\r|\n`)

func referStream(stream string) (r refStream) {
	lines := lineEnding.Split(strings.TrimPrefix(stream, byteOrderMark), -1)
	var data []string
	kind, id := "", ""
	for _, line := range lines[:len(lines)-1] { // what has no line ending does not count
		if line == "" {
			r.lastID = id
			if text := strings.Join(data, "\n"); strings.Trim(text, " \t\n") != "" && (kind == "" || kind == "message") {
				r.data = append(r.data, text)
			}
			data, kind = nil, ""
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		short := len(value) <= maxFieldValue
		switch {
		case name == "data":
			data = append(data, value)
		case name == "event" && short:
			kind = value
		case name == "id" && short && !strings.Contains(value, "\x00"):
			id = value
		case name == "retry" && regexp.MustCompile(`^[0-9]+$`).MatchString(value):
			if ms, err := strconv.ParseInt(value, 10, 32); err == nil {
				r.retry = time.Duration(ms) * time.Millisecond
			}
		}
	}
	return r
}

// An event stream gives what the slow parser gives, however it is cut.
func FuzzEventStream(f *testing.F) {
	for i, line := range splitLines {
		f.Add("\ufeff: hi\r\nid: "+strconv.Itoa(i)+"\rdata: "+strings.ReplaceAll(line, ",", ",\ndata:")+"\n\r\n", uint8(i*16), uint8(i))
	}
	f.Add("event: other\ndata: 1\n\nretry: 10\ndata: {\ndata\ndata:}\n\nid\n\n", uint8(3), uint8(2))
	f.Fuzz(func(t *testing.T, stream string, size, shift uint8) {
		o := &ReaderOptions{Members: []string{"name", "_meta", "arguments"}, MaxDepth: 6}
		want := referStream(stream)
		r := newEventReader(&raggedReader{src: stream}, o, int(size)+1, uint(shift%9))
		var got []outcome
		for m, err := r.Read(); m != nil || faultOf(err) != 0; m, err = r.Read() {
			got = append(got, outcomeOf(m, err))
		}
		var lines []outcome
		for _, text := range want.data {
			lines = append(lines, outcomeOfEvent(text, o))
		}
		compare(t, got, lines, "%q", stream)
		if r.LastID() != want.lastID || r.Retry() != want.retry {
			t.Errorf("%q: id %q, retry %v, want %q, %v", stream, r.LastID(), r.Retry(), want.lastID, want.retry)
		}
	})
}

// outcomeOfEvent scans the data of an event in one piece.
func outcomeOfEvent(text string, o *ReaderOptions) outcome {
	s := o.newScanner()
	m := &Message{flat: []byte(strings.ReplaceAll(text, "\n", " ")), n: len(text), members: make([]Member, len(o.members()))}
	s.begin(m)
	s.feed([]byte(text))
	if f := s.verdict(false); f != 0 {
		s.saveOwnIDs()
		return outcomeOf(nil, s.lineError(f))
	}
	return outcomeOf(m, nil)
}
