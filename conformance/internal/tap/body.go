package tap

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"sync"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// A body is that of an answer, which is recorded while it is read.
type body struct {
	io.ReadCloser
	request *http.Request
	events  bool // it is a stream of them
	line    func([]byte)
	end     func(wire.Dir)

	rest []byte // what belongs to no whole message yet
	ends sync.Once
}

func newBody(answer *http.Response, line func([]byte), end func(wire.Dir)) *body {
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	return &body{
		ReadCloser: answer.Body, request: answer.Request, events: kind == "text/event-stream", line: line, end: end,
	}
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.rest = append(b.rest, p[:n]...)
	if b.events {
		b.messages()
	}
	if err != nil {
		b.finish(endOf(b.request, err))
	}
	return n, err
}

// Close before the end is what becomes of a body that the client does not take.
func (b *body) Close() error {
	b.finish(wire.ToServer)
	return b.ReadCloser.Close()
}

func (b *body) finish(dir wire.Dir) {
	b.ends.Do(func() {
		if !b.events && len(b.rest) > 0 {
			b.line(b.rest)
		}
		b.end(dir)
	})
}

// endOf tells who ended an exchange.
func endOf(r *http.Request, err error) wire.Dir {
	if !errors.Is(err, io.EOF) && r.Context().Err() != nil {
		return wire.ToServer
	}
	return wire.ToClient
}

// messages records the data of the events that are whole. It ends a line at LF and at
// CRLF: no server here uses CR alone.
func (b *body) messages() {
	for {
		event, rest, ok := cutEvent(b.rest)
		if !ok {
			return
		}
		b.rest = rest
		if message := data(event); len(message) > 0 {
			b.line(message)
		}
	}
}

func cutEvent(text []byte) (event, rest []byte, ok bool) {
	event, rest, ok = bytes.Cut(text, []byte("\n\n"))
	if shorter, after, found := bytes.Cut(text, []byte("\r\n\r\n")); found && len(shorter) < len(event) {
		return shorter, after, true
	}
	return event, rest, ok
}

// data returns the data of an event.
func data(event []byte) []byte {
	var lines [][]byte
	for line := range bytes.Lines(event) {
		line = bytes.TrimRight(line, "\r\n")
		if text, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			lines = append(lines, bytes.TrimPrefix(text, []byte(" ")))
		}
	}
	return bytes.Join(lines, []byte("\n"))
}
