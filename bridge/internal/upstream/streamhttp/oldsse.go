package streamhttp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// An sse is a session over what 2024-11-05 has (L2): all that the server says comes on one
// stream, whose first event says where to send messages. It ends with that stream.
type sse struct {
	stream *exchange
	opened chan struct{} // closed when one of the next three is set
	gone   chan struct{} // closed when the stream has ended

	endpoint *url.URL         // may hold a secret
	refused  *response        // another one than a stream
	failure  *mcpwire.Failure // there was none, or not that event
}

// openSSE begins that stream for the session. The caller holds the lock.
func (c *Client) openSSE() {
	c.session.sse = &sse{opened: make(chan struct{}), gone: make(chan struct{})}
	c.session.sse.stream = c.addStream()
}

// wait waits until it is known what has become of the request for the stream. It reports
// false if ctx is done.
func (s *sse) wait(ctx context.Context) bool {
	select {
	case <-s.opened:
		return true
	case <-ctx.Done():
		return false
	}
}

// run hands over what the server says.
func (s *sse) run(r Receiver) {
	defer close(s.gone)
	x := s.stream
	res, f := x.send()
	if f != nil {
		s.failure = f
		close(s.opened)
		return
	}
	if res.StatusCode != http.StatusOK || isEncoded(res) || mediaType(res) != eventsType {
		s.refused = res // which is closed by the one that opens the session
		close(s.opened)
		return
	}
	defer res.close()
	in := bufio.NewReader(res.Body)
	if s.endpoint = endpointIn(in, res.Request.URL, x.c.o.URL()); s.endpoint == nil {
		s.failure = &mcpwire.Failure{Cause: mcpwire.CauseInvalidUpstreamMessage, Status: res.StatusCode, Sent: true}
		close(s.opened)
		return
	}
	close(s.opened)
	res.Body = struct {
		io.Reader
		io.Closer
	}{in, res.Body}
	x.events(r, res)
}

// endpointIn reads the first event of a stream, which names where to send messages, by an
// URL that may be relative to from. It returns nil if that is not of the origin.
func endpointIn(in *bufio.Reader, from, origin *url.URL) *url.URL {
	text, err := firstEvent(in, "endpoint")
	if err != nil || !isPlain(text) {
		return nil
	}
	to, err := from.Parse(text)
	if err != nil || to.Opaque != "" || to.User != nil || !sameOrigin(origin, to) {
		return nil
	}
	to.Fragment, to.RawFragment = "", ""
	return to
}

var errFirstEvent = errors.New("streamhttp: another event comes first")

// firstEvent reads the first event with data of a stream, if it is of this type, and
// returns its data. It reads nothing behind the event.
func firstEvent(in *bufio.Reader, kind string) (string, error) {
	got, data, left := "", "", endpointMax
	for first, afterCR := true, false; ; first = false {
		line, end, err := eventLine(in, &left, afterCR)
		if err != nil {
			return "", err
		}
		afterCR = end == '\r'
		if first {
			line = strings.TrimPrefix(line, "\uFEFF")
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "" && data == "":
			got = ""
		case line == "" && got != kind:
			return "", errFirstEvent
		case line == "":
			return data, nil
		case name == "event":
			got = value
		case name == "data":
			data += value
		}
	}
}

// eventLine reads a line, which ends in LF, CR or CRLF, of at most left bytes.
func eventLine(in *bufio.Reader, left *int, afterCR bool) (line string, end byte, err error) {
	var b strings.Builder
	for {
		c, err := in.ReadByte()
		*left--
		switch {
		case err != nil:
			return "", 0, err
		case *left < 0:
			return "", 0, errFirstEvent
		case c == '\n' && afterCR && b.Len() == 0:
			afterCR = false
		case c == '\n', c == '\r':
			return b.String(), c, nil
		default:
			afterCR = false
			b.WriteByte(c)
		}
	}
}

// runSSE is run for a request of such a session: it is POSTed, and its answer comes on the
// stream.
func (x *exchange) runSSE(r Receiver) *mcpwire.Failure {
	s := x.older.session.sse
	if !s.wait(x.ctx) {
		if x.older.opens {
			s.stream.finish()
		}
		return nil
	}
	if f := x.unopened(r); f != nil {
		return f
	}
	res, f := x.send()
	if f != nil {
		return f
	}
	defer res.close()
	if f := x.refused(r, res); f != nil {
		return f
	}
	if res.StatusCode/100 != 2 {
		f := x.refusal(r, res)
		f.InSession = !x.older.opens
		return f
	}
	res.leave()
	select {
	case <-x.ctx.Done():
		return nil
	case <-s.gone:
		return &mcpwire.Failure{Cause: mcpwire.CauseUpstreamClosed, Sent: true}
	}
}

// unopened returns why the request cannot be sent, and nil if it can. For a session whose
// stream has ended that is what a server says that has forgotten it.
func (x *exchange) unopened(r Receiver) *mcpwire.Failure {
	s := x.older.session.sse
	if !x.older.opens {
		select {
		case <-s.gone:
			return &mcpwire.Failure{Status: http.StatusNotFound, InSession: true}
		default:
			return nil
		}
	}
	if s.refused == nil {
		return s.failure
	}
	defer s.refused.close()
	if f := x.refused(r, s.refused); f != nil {
		return f
	}
	return x.refusal(r, s.refused)
}
