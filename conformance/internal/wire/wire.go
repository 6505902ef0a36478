// Package wire is the record of what passed between a client and a server: one JSON
// object for each line of stdio or message of HTTP, which is kept exactly as it was.
package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"
)

// A Dir is the direction of a line.
type Dir string

// The directions.
const (
	ToServer Dir = ">"
	ToClient Dir = "<"
)

// A Record is one line, or the end of one direction.
type Record struct {
	At  time.Time `json:"at,omitzero"`
	PID int       `json:"pid,omitempty"` // tells processes, or exchanges over HTTP, apart
	Dir Dir       `json:"dir"`

	// Line is the line without its line ending. A line that is not UTF-8 is in
	// Bytes instead.
	Line  string `json:"line,omitempty"`
	Bytes []byte `json:"bytes,omitempty"`

	Open bool `json:"open,omitempty"` // the last line, and it had no line ending
	End  bool `json:"end,omitempty"`  // no line: the direction ended
}

// Raw returns the bytes of the line.
func (r *Record) Raw() []byte {
	if r.Bytes != nil {
		return r.Bytes
	}
	return []byte(r.Line)
}

// A Writer writes records. Several goroutines, and several processes that append
// to one file, may write at the same time.
type Writer struct {
	mu  sync.Mutex // guards the field below
	w   io.Writer
	pid int
}

// NewWriter returns a Writer to w that marks its records with pid.
func NewWriter(w io.Writer, pid int) *Writer {
	return &Writer{w: w, pid: pid}
}

// Line records a line.
func (w *Writer) Line(dir Dir, line []byte, open bool) error {
	r := Record{Dir: dir, Open: open}
	if utf8.Valid(line) {
		r.Line = string(line)
	} else {
		r.Bytes = line
	}
	return w.write(&r)
}

// End records the end of a direction.
func (w *Writer) End(dir Dir) error {
	return w.write(&Record{Dir: dir, End: true})
}

func (w *Writer) write(r *Record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	r.At, r.PID = time.Now(), w.pid
	var buf bytes.Buffer // one Write for each record, so that those of several processes do not mix
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("encode record: %w", err)
	}
	if _, err := w.w.Write(buf.Bytes()); err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	return nil
}

// ReadFile reads the records of a file. A file that is not there is fs.ErrNotExist.
func ReadFile(name string) ([]Record, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Read(file)
}

// Read reads the records of r to its end.
func Read(r io.Reader) ([]Record, error) {
	var all []Record
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var rec Record
			if err := json.Unmarshal(line, &rec); err != nil {
				return nil, fmt.Errorf("read record %d: %w", len(all)+1, err)
			}
			all = append(all, rec)
		}
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("read record %d: %w", len(all)+1, err)
		}
	}
}
