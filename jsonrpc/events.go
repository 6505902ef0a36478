package jsonrpc

import (
	"bytes"
	"io"
	"strconv"
	"sync/atomic"
	"time"
)

// An EventReader reads messages from an event stream (text/event-stream), one an
// event. Lines of the stream end in LF, CR or CRLF; the data of an event may
// stand on several lines. A line ending between two of them counts as a space.
//
// Only events of type message, which is the default, are read; others are passed
// over, as is what follows the last blank line of the stream. It must not be used
// by several goroutines at once, except for [EventReader.Comments].
type EventReader struct {
	input
	text gatherer
	out  *Message // the last message, if it is big

	begun   bool       // the start of the stream was seen
	afterCR bool       // a line feed that comes next belongs to the line ending
	state   fieldState // in a line
	name    []byte     // of the field
	value   []byte     // of a short field

	hasData bool   // a field data was seen
	other   bool   // the event is not of type message
	id      []byte // last field id
	lastID  []byte
	retry   time.Duration
	ended   bool // an event was handed out

	comments atomic.Int64
}

// NewEventReader returns an EventReader of r. MaxLine bounds the data of an
// event. It panics where [NewReader] does.
func NewEventReader(r io.Reader, o *ReaderOptions) *EventReader {
	return newEventReader(r, o, readSize, chunkShift)
}

func newEventReader(r io.Reader, o *ReaderOptions, size int, shift uint) *EventReader {
	e := &EventReader{
		input: input{src: r, buf: make([]byte, size)},
		text:  newGatherer(o, size, shift),
	}
	e.text.begin()
	return e
}

// LastID returns the id of the last event that ended, or of an earlier one if
// that had none. It is empty if there was none. An id that holds a NUL, or more than
// 1024 bytes, is none.
func (r *EventReader) LastID() string { return string(r.lastID) }

// Retry returns how long the stream asks to wait before it is opened again. It
// is zero if it does not.
func (r *EventReader) Retry() time.Duration { return r.retry }

// Comments returns how many comments came. It may be called while Read waits: a
// server that sends comments shows that it is alive.
func (r *EventReader) Comments() int64 { return r.comments.Load() }

// Gathered returns how many bytes of data the event has that is being read. It is for the
// underlying reader, which may so end an event at once that is longer than MaxLine: Read
// passes over the rest of it, and says so at its end.
func (r *EventReader) Gathered() int { return r.text.n }

// Read returns the next message. Events without data are passed over.
//
// A [*LineError] says that the data of one event was bad; the stream goes on at
// the next. [io.EOF] is the end of the stream; any other error comes from the
// underlying reader. The message is valid as one of a [Reader] is.
func (r *EventReader) Read() (*Message, error) {
	if r.out != nil {
		r.out.Release()
		r.out = nil
	}
	if r.ended {
		r.ended = false
		r.text.begin()
	}
	for {
		if r.pos == r.end {
			if r.err != nil {
				r.text.drop()
				r.text.pool.close()
				return nil, r.err
			}
			r.pos = 0
			r.end = r.read(r.buf)
			continue
		}
		if m, err := r.step(); m != nil || err != nil {
			return m, err
		}
	}
}

// A fieldState says where in a line of the stream the reader is.
type fieldState uint8

const (
	inField   fieldState = iota // in the name of a field
	atField                     // behind the colon, where a space is dropped
	inData                      // in a value of data
	inShort                     // in a value of another field
	inComment                   // in a comment, or a field that does not matter
)

// Limits of fields that are kept.
const (
	maxFieldName  = len("event")
	maxFieldValue = 1024
)

// step takes the bytes up to a colon, a line ending, or the end of the buffer.
func (r *EventReader) step() (*Message, error) {
	b := r.buf[r.pos:r.end]
	if r.afterCR {
		r.afterCR = false
		if b[0] == '\n' {
			r.pos++
			return nil, nil
		}
	}
	switch r.state {
	case inField:
		return r.field(b)
	case atField:
		r.afterColon(b)
		return nil, nil
	}
	n := lineEnd(b)
	r.pos += n
	switch r.state {
	case inData:
		r.text.add(b[:n], b[:n])
	case inShort:
		r.keep(b[:n])
	}
	if n < len(b) && (b[n] == '\n' || b[n] == '\r') {
		r.pos++
		return r.endLine(b[n])
	}
	return nil, nil
}

// lineEnd returns the offset of the first CR or LF of b, or how many bytes of it
// are before one.
func lineEnd(b []byte) int {
	// Little is looked at before much, or short lines would cost as long ones.
	const little = 256
	if n := bytes.IndexAny(b[:min(len(b), little)], "\r\n"); n >= 0 {
		return n
	}
	if len(b) <= little {
		return len(b)
	}
	b = b[:min(len(b), 64*little)]
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		b = b[:n]
	}
	if n := bytes.IndexByte(b, '\r'); n >= 0 {
		return n
	}
	return len(b)
}

// field takes bytes of the name of a field.
func (r *EventReader) field(b []byte) (*Message, error) {
	const data = "data:"
	if len(r.name) == 0 && len(b) >= len(data) && string(b[:len(data)]) == data {
		r.name = append(r.name, data...)
		r.pos += len(data)
		r.endName()
		return nil, nil
	}
	c := b[0]
	r.pos++
	if c == '\r' || c == '\n' {
		return r.endLine(c)
	}
	if r.name = append(r.name, c); c == ':' {
		r.endName()
		return nil, nil
	}
	if !r.begun && string(r.name) == byteOrderMark {
		r.begun = true
		r.name = r.name[:0]
	}
	if len(r.name) > maxFieldName {
		r.state = inComment
	}
	return nil, nil
}

// byteOrderMark may stand at the start of the stream.
const byteOrderMark = "\uFEFF"

// endName goes on behind the colon after a name.
func (r *EventReader) endName() {
	r.begun = true
	r.state = atField
	if r.name = r.name[:len(r.name)-1]; len(r.name) == 0 {
		r.comments.Add(1)
		r.state = inComment
	}
}

// afterColon drops one space before a value.
func (r *EventReader) afterColon(b []byte) {
	if b[0] == ' ' {
		r.pos++
	}
	switch string(r.name) {
	case "data":
		r.state = inData
		r.startData()
	case "event", "id", "retry":
		r.state = inShort
	default:
		r.state = inComment
	}
}

// startData puts a space between two values of data. The scan sees the line ending
// that it stands for, which cannot stand in a string.
func (r *EventReader) startData() {
	if r.hasData {
		r.text.add(aSpace, aLineFeed)
	}
	r.hasData = true
}

var aSpace, aLineFeed = []byte(" "), []byte("\n")

// keep keeps a value that is not data, or of a longer one a byte too many.
func (r *EventReader) keep(b []byte) {
	room := maxFieldValue + 1 - len(r.value)
	r.value = append(r.value, b[:min(len(b), room)]...)
}

// endLine ends a line of the stream. A blank one ends the event.
func (r *EventReader) endLine(c byte) (*Message, error) {
	r.begun = true
	r.afterCR = c == '\r'
	state := r.state
	if state == inField && len(r.name) == 0 {
		return r.endEvent()
	}
	if state == inField && string(r.name) == "data" {
		r.startData()
	} else if state == inField || state == inShort {
		r.set()
	}
	r.state = inField
	r.name, r.value = r.name[:0], r.value[:0]
	return nil, nil
}

// set takes the value of a short field. One that is too long is none.
func (r *EventReader) set() {
	v := r.value
	if len(v) > maxFieldValue {
		return
	}
	switch string(r.name) {
	case "event":
		r.other = len(v) > 0 && string(v) != "message"
	case "id":
		if bytes.IndexByte(v, 0) < 0 {
			r.id = append(r.id[:0], v...)
		}
	case "retry":
		if ms, err := strconv.ParseUint(string(v), 10, 31); err == nil {
			r.retry = time.Duration(ms) * time.Millisecond
		}
	}
}

// endEvent hands out the message of the event, if it is one.
func (r *EventReader) endEvent() (m *Message, err error) {
	r.lastID = append(r.lastID[:0], r.id...)
	if r.hasData && !r.other {
		m, err = r.text.finish()
	}
	r.hasData, r.other = false, false
	if m == nil {
		r.text.drop()
		r.text.begin()
		return nil, err
	}
	r.ended = true
	r.out = r.text.handOver()
	return m, nil
}
