package streamhttp

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// respond hands over a response (T202, T203).
func (x *exchange) respond(r Receiver, res *response) *mcpwire.Failure {
	if res.StatusCode != http.StatusOK {
		return x.refusal(r, res)
	}
	if isEncoded(res) {
		return &mcpwire.Failure{Cause: mcpwire.CauseContentEncoding, Sent: true}
	}
	switch mediaType(res) {
	case jsonType:
		return x.message(r, res)
	case eventsType:
		return x.events(r, res)
	}
	return &mcpwire.Failure{Cause: mcpwire.CauseInvalidUpstreamMessage, Status: res.StatusCode, Sent: true}
}

// isEncoded reports whether a body is not as it was asked for (U08).
func isEncoded(res *response) bool {
	for _, line := range res.Header[encodingHeader] {
		for coding := range strings.SplitSeq(line, ",") {
			if c := strings.TrimSpace(coding); c != "" && !strings.EqualFold(c, noEncoding) {
				return true
			}
		}
	}
	return false
}

func mediaType(res *response) string {
	essence, _, _ := strings.Cut(res.Header.Get(contentType), ";")
	if t, _, err := mime.ParseMediaType(essence); err == nil {
		return t
	}
	return ""
}

// refusal returns the failure of a response of another status than 200, with the message
// in it, if there is one.
func (x *exchange) refusal(r Receiver, res *response) *mcpwire.Failure {
	f := &mcpwire.Failure{Status: res.StatusCode, RetryAfter: retryAfter(time.Now(), res.Header), Sent: true}
	if res.StatusCode < http.StatusBadRequest || isEncoded(res) || mediaType(res) != jsonType {
		res.leave()
		return f
	}
	in := x.input(r, res)
	defer in.place.leave()
	m, err := jsonrpc.ReadAll(in, x.reader())
	if err == nil {
		f.Message = m
	}
	return f
}

// message hands over the one message of a response.
func (x *exchange) message(r Receiver, res *response) *mcpwire.Failure {
	in := x.input(r, res)
	defer in.place.leave()
	m, err := jsonrpc.ReadAll(in, x.reader())
	bad, isLine := errors.AsType[*jsonrpc.LineError](err)
	switch {
	case err == nil:
		x.hand(func() { r.Message(x.id, m) })
		return &mcpwire.Failure{Cause: mcpwire.CauseUpstreamClosed, Sent: true} // unless that was the answer
	case isLine && bad.Fault == jsonrpc.FaultTooLong:
		return &mcpwire.Failure{Cause: mcpwire.CauseResponseTooLarge, Sent: true}
	case isLine, err == io.ErrUnexpectedEOF && in.ended:
		return &mcpwire.Failure{Cause: mcpwire.CauseInvalidUpstreamMessage, Status: res.StatusCode, Sent: true}
	}
	return broken(x.ctx, err)
}

// events hands over the events of a response as they come, until nothing more of it is
// wanted.
func (x *exchange) events(r Receiver, res *response) *mcpwire.Failure {
	in := x.input(r, res)
	defer in.place.leave()
	in.events = jsonrpc.NewEventReader(in, x.reader())
	in.quiet = x.silence(res, in.events)
	defer in.quiet.over()
	for bad := 0; ; {
		r.Wait()
		if x.older != nil {
			x.c.waitForMessages(x.ctx)
		}
		m, err := in.events.Read()
		event, isEvent := errors.AsType[*jsonrpc.LineError](err)
		over := false
		switch {
		case err == nil:
			bad = 0
			over = x.hand(func() { r.Message(x.id, m) })
		case err == errTooLong:
			return &mcpwire.Failure{Cause: mcpwire.CauseResponseTooLarge, Sent: true}
		case isEvent:
			bad++
			over = x.hand(func() { r.BadEvent(x.id, event) })
		default:
			x.ended(in.events)
			return broken(x.ctx, err)
		}
		in.place.leave()
		r.Flush(true)
		if over {
			r.Flush(false)
			res.leave()
			return nil
		}
		if bad == badEvents {
			return &mcpwire.Failure{Cause: mcpwire.CauseInvalidUpstreamMessage, Status: res.StatusCode, Sent: true}
		}
	}
}

// errTooLong ends a stream in the middle of an event.
var errTooLong = errors.New("streamhttp: an event is too long")

// An input is a body that is read.
type input struct {
	body   io.Reader
	ctx    context.Context
	r      Receiver
	place  place
	events *jsonrpc.EventReader // nil for one message
	quiet  *silence             // nil for one message
	max    int                  // bytes of an event
	size   int                  // read so far
	ended  bool                 // the body has ended in order
	shared bool                 // a stream for all: what is too long in it ends nothing else
}

func (x *exchange) input(r Receiver, res *response) *input {
	p := place{room: x.c.room, end: x.breakOff(res)}
	return &input{body: res.Body, ctx: x.ctx, r: r, place: p, max: x.c.o.Reader.MaxLine, shared: x.id == 0}
}

// breakOff returns what ends a response that does not go on: with its exchange, unless
// that is a stream which is opened again.
func (x *exchange) breakOff(res *response) func() {
	if x.id == 0 {
		return res.end
	}
	return func() { x.cancel(errIdle) }
}

// Read reads from the body. Before it waits for the server, it passes on what came; while
// a message is long, it waits for room.
func (in *input) Read(p []byte) (int, error) {
	in.r.Flush(false)
	gathered := in.size
	if in.events != nil {
		if gathered = in.events.Gathered(); gathered > in.max && !in.shared {
			return 0, errTooLong
		}
	}
	if gathered > smallBytes && !in.place.taken {
		if err := in.place.take(in.ctx); err != nil {
			return 0, err
		}
		in.r.Wait()
	}
	in.place.wait()
	n, err := in.body.Read(p)
	in.place.came()
	in.size += n
	in.ended = err == io.EOF
	if n > 0 && in.quiet != nil {
		in.quiet.heard()
	}
	return n, err
}
