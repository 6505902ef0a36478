package mcpwire

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// The heads of frames that the session writes.
const (
	head       = `{"jsonrpc":"2.0"`
	headID     = head + `,"id":`
	headResult = `,"result":`
	headParams = `","params":{`

	questionPrefix = `"b-`
)

// literal returns the bytes that were appended to buf since start. Later appends
// do not reach them.
func (s *Steps) literal(start int) []byte { return s.buf[start:len(s.buf):len(s.buf)] }

// result answers the request with the raw id by the JSON value in text.
func (s *Steps) result(id []byte, text string) {
	start := len(s.buf)
	s.buf = append(append(append(append(s.buf, headID...), id...), headResult...), text...)
	s.buf = append(s.buf, '}')
	s.ToFront = append(s.ToFront, Frame{Lit: s.literal(start)})
}

// An extra is a member that data of an error may hold beside cause.
type extra struct {
	name  string
	value []byte // JSON
}

// fail answers the request with the raw id by the error of c (T92).
func (s *Steps) fail(id []byte, c Cause, data ...extra) {
	start := len(s.buf)
	s.buf = append(append(s.buf, headID...), id...)
	s.failure(start, c, data)
}

// failWithout writes the error of c for something that has no usable id.
func (s *Steps) failWithout(absent absentID, c Cause) {
	start := len(s.buf)
	s.buf = append(s.buf, head...)
	if absent == idNull {
		s.buf = append(s.buf, `,"id":null`...)
	}
	s.failure(start, c, nil)
}

// failure completes an error that was begun at start.
func (s *Steps) failure(start int, c Cause, data []extra) {
	row := c.row()
	b := append(s.buf, `,"error":{"code":`...)
	b = strconv.AppendInt(b, int64(row.code), 10)
	b = jsonrpc.AppendQuote(append(b, `,"message":`...), textOf(row.text, data))
	b = jsonrpc.AppendQuote(append(b, `,"data":{"cause":`...), string(row.cause))
	for _, x := range data {
		if x.name == extraAfter {
			continue
		}
		b = append(jsonrpc.AppendQuote(append(b, ','), x.name), ':')
		b = append(b, x.value...)
	}
	s.buf = append(b, `}}}`...)
	s.ToFront = append(s.ToFront, Frame{Lit: s.literal(start)})
}

// What an error has beside its cause that its text names, too.
const (
	extraStatus = "status" // the number of an HTTP status (T92)
	extraAfter  = ""       // a cause before this one, which is in the text alone (S23)
)

// textOf returns the text of an error that has data.
func textOf(text string, data []extra) string {
	if n := statusIn(data); n != 0 {
		return strings.TrimSuffix(text, ".") + ": " + strconv.Itoa(n) + "."
	}
	for _, x := range data {
		if x.name == extraAfter {
			return Cause(x.value).Text() + " " + text
		}
	}
	return text
}

// statusIn returns the HTTP status that data names, and zero if there is none.
func statusIn(data []extra) int {
	for _, x := range data {
		if x.name == extraStatus {
			n, _ := strconv.Atoi(string(x.value))
			return n
		}
	}
	return 0
}

// An absentID says how an error without a usable id is written (T3).
type absentID uint8

const (
	idOmitted absentID = iota // 2025-11-25: the member is optional
	idNull                    // older ones, and before a revision is negotiated
)

// appendRequest appends a request toward the upstream up to the value of params.
func appendRequest(b []byte, ex Exchange, method string) []byte {
	b = strconv.AppendUint(append(b, headID...), uint64(ex), 10)
	b = append(append(b, `,"method":"`...), method...)
	return append(b, `","params":`...)
}

// appendNotification appends a notification up to the first member of its params.
func appendNotification(b []byte, method string) []byte {
	return append(append(append(b, head+`,"method":"`...), method...), headParams...)
}

// closeNotification ends a notification whose params have their members since open, and
// none if there are none.
func closeNotification(b []byte, open int) []byte {
	if len(b) == open {
		return append(b[:open-len(headParams)], `"}`...)
	}
	return append(b, `}}`...)
}

// appendCancelled appends the cancellation of the request with this id. reason may be
// absent; both are JSON.
func appendCancelled(b, id, reason []byte) []byte {
	b = append(append(appendNotification(b, methodCancelled), `"requestId":`...), id...)
	if len(reason) > 0 {
		b = append(append(b, `,"reason":`...), reason...)
	}
	return append(b, `}}`...)
}

// appendQuestionID appends the id of a request toward the front.
func appendQuestionID(b []byte, number uint32) []byte {
	return append(strconv.AppendUint(append(b, questionPrefix...), uint64(number), 10), '"')
}

// cancelUpstream takes the request ex back, or cancels it. reason is JSON, and may
// be absent.
func (s *Steps) cancelUpstream(ex Exchange, reason []byte) {
	start := len(s.buf)
	var id [10]byte
	s.buf = appendCancelled(s.buf, strconv.AppendUint(id[:0], uint64(ex), 10), reason)
	s.Cancel = append(s.Cancel, Frame{Exchange: ex, Lit: s.literal(start)})
}

// arm starts or moves a timer.
func (s *Steps) arm(t Timer) {
	s.Disarm = slices.DeleteFunc(s.Disarm, func(id TimerID) bool { return id == t.ID })
	s.Arm = append(s.Arm, t)
}

// disarm stops a timer.
func (s *Steps) disarm(id TimerID) {
	s.Arm = slices.DeleteFunc(s.Arm, func(t Timer) bool { return t.ID == id })
	s.Disarm = append(s.Disarm, id)
}

// log adds an event.
func (s *Steps) log(e Event) { s.Log = append(s.Log, e) }
