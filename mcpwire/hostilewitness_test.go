package mcpwire

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A witness follows a hostile session by what goes in and comes out alone, and knows
// what may come out next.
type witness struct {
	open      map[string]*seenRequest // by the raw id of the front
	made      []*seenRequest          // all
	exchanges map[uint32]*seenExchange
	newest    uint32 // id toward the upstream
	questions []*seenQuestion
	plain     []string // ids that may be answered in this step although they are not open: of bad lines
	nameless  int      // errors without an id that this step must write

	stream             uint32 // the newest exchange that asked for a stream
	events, subscribed int    // how many there were
	params             int    // requests with arguments among their headers
}

// A seenRequest is a request of the front. Number is in its name or uri.
type seenRequest struct {
	id, method, token string
	number            int
	progress          float64
	any               bool // there was progress
	keys              []string
	state             string
}

// A seenExchange is a request toward the upstream.
type seenExchange struct {
	owner               *seenRequest // of a method that may ask
	method              string
	answered, cancelled bool
	closed              bool // over HTTP
}

// A seenQuestion is a request toward the front, the one with its place plus one in
// its id.
type seenQuestion struct {
	owner                    *seenRequest // if its text names it
	method, key, elicitation string
	page, wait               bool // it is a URL; it is the Continue form
	signIn                   bool // it is of the caller's
	answered, accepted       bool
	withdrawn                bool
	complete                 bool // that was said
}

func newWitness() witness {
	return witness{open: map[string]*seenRequest{}, exchanges: map[uint32]*seenExchange{}}
}

func (w *witness) begin() { w.plain, w.nameless = nil, 0 }

// ofFront takes a message of the front before the session does.
func (w *witness) ofFront(h *hostile, m *jsonrpc.Message, line string) {
	id := string(m.AppendSpan(nil, m.ID))
	t, _ := readText([]byte(line))
	params := t.member("params")
	switch m.Kind {
	case jsonrpc.KindRequest:
		if w.open[id] != nil {
			w.nameless++
			return
		}
		r := &seenRequest{id: id, number: len(w.made), method: t.str("method"), token: string(params.member("_meta").values["progressToken"])}
		w.made = append(w.made, r)
		w.open[id] = r
	case jsonrpc.KindNotification:
		if t.str("method") == methodCancelled {
			delete(w.open, string(params.values["requestId"]))
		}
	case jsonrpc.KindResponse:
		if q := w.question(id); q != nil && !q.answered && !q.withdrawn {
			q.answered = true
			q.accepted = t.member("result").str("action") == actionAccept
		}
	}
}

// question returns the question with this raw id, or nil.
func (w *witness) question(id string) *seenQuestion {
	digits, ok := strings.CutPrefix(id, `"b-`)
	n, err := strconv.ParseUint(strings.TrimSuffix(digits, `"`), 10, 32)
	if !ok || err != nil || n == 0 || n > uint64(len(w.questions)) || id != fmt.Sprintf(`"b-%d"`, n) {
		return nil
	}
	return w.questions[n-1]
}

// ofUpstream takes a message of the upstream before the session does.
// ex is whose response it comes in, over HTTP.
func (w *witness) ofUpstream(h *hostile, ex uint32, m *jsonrpc.Message) {
	if m.Kind != jsonrpc.KindResponse {
		w.endOfStream(ex, m)
		return
	}
	id := m.AppendSpan(nil, m.ID)
	n, err := strconv.ParseUint(string(id), 10, 32)
	x := w.exchanges[uint32(n)]
	if err != nil || x == nil || x.answered || ex != 0 && uint32(n) != ex {
		return
	}
	x.answered = true
	result, err := readText(m.AppendSpan(nil, m.Result))
	if err != nil || result.str("resultType") != "input_required" || x.owner == nil {
		return
	}
	r := x.owner
	r.keys, r.state = result.member("inputRequests").names, string(result.values["requestState"])
	slices.Sort(r.keys)
	if r.state == "null" {
		r.state = ""
	}
}

// endOfStream takes a notification, which may be the end of the stream.
func (w *witness) endOfStream(ex uint32, m *jsonrpc.Message) {
	params, err := readText(m.AppendSpan(nil, m.Params))
	if m.Kind != jsonrpc.KindNotification || !m.Is(m.Method, methodCancelled) || err != nil || w.stream == 0 {
		return
	}
	id, stream := string(params.values["requestId"]), w.stream
	if x := w.exchanges[ex]; x != nil && x.method == methodListen {
		stream = ex
	}
	if id == strconv.Itoa(int(stream)) && (ex == 0 || ex == stream) {
		w.exchanges[stream].answered = true
	}
}

// bad takes a bad line before the session does.
func (w *witness) bad(h *hostile, side Side, e *jsonrpc.LineError) {
	id := string(e.ID)
	switch {
	case side == Upstream:
		if n, err := strconv.ParseUint(id, 10, 32); err == nil && !e.Method && w.exchanges[uint32(n)] != nil {
			w.exchanges[uint32(n)].answered = true
		}
	case !e.Method && w.question(id) != nil && !w.question(id).answered && !w.question(id).withdrawn: // T126
		w.question(id).answered = true
	case e.Response:
	case id == "" || w.open[id] != nil:
		w.nameless++
	default:
		w.plain = append(w.plain, id)
	}
}

// toFront takes a line toward the front.
func (w *witness) toFront(h *hostile, f *Frame, line []byte) {
	t, err := readText(line)
	id, hasID := t.values["id"]
	_, isError := t.values["error"]
	switch {
	case err != nil || t.str("jsonrpc") != "2.0":
		h.fail("no message: %v", err)
	case t.values["method"] != nil && !hasID:
		w.notification(h, t)
	case t.values["method"] != nil:
		w.asked(h, f, t)
	case isError == (t.values["result"] != nil):
		h.fail("no response")
	case !hasID || string(id) == "null":
		if w.nameless--; w.nameless < 0 {
			h.fail("an error without an id")
		}
	default:
		w.response(h, string(id), t)
	}
}

func (w *witness) response(h *hostile, id string, t text) {
	if i := slices.Index(w.plain, id); i >= 0 {
		w.plain = slices.Delete(w.plain, i, i+1)
		return
	}
	if w.open[id] == nil {
		h.fail("a response that nobody waits for: %s", id)
	}
	w.subscribed += count(w.open[id] != nil && w.open[id].method == methodSubscribe && t.values["result"] != nil)
	delete(w.open, id)
	result := t.member("result")
	for _, name := range result.names {
		switch name {
		case "resultType", "inputRequests", "requestState", "ttlMs", "cacheScope":
			h.fail("%s reached the front", name)
		}
	}
}

// notification takes a notification toward the front.
func (w *witness) notification(h *hostile, t text) {
	params := t.member("params")
	switch method := t.str("method"); method {
	case methodMessage:
	case methodElicitComplete:
		i := slices.IndexFunc(w.questions, func(q *seenQuestion) bool { return q.elicitation == params.str("elicitationId") })
		if i < 0 || !w.questions[i].mayComplete() || w.questions[i].complete {
			h.fail("the completion of what was not accepted, or the second one")
			return
		}
		w.questions[i].complete = true
	case methodProgress:
		w.progress(h, params)
	case "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed", methodUpdated:
		w.events++
		if w.stream == 0 || params.member("_meta").values[keySubscriptionID] != nil || method == methodUpdated != (params.values["uri"] != nil) {
			h.fail("an event of no stream, or with more than it may hold")
		}
	default:
		h.fail("a notification %q", method)
	}
}

func (w *witness) progress(h *hostile, params text) {
	token := string(params.values["progressToken"])
	var value float64
	if err := json.Unmarshal(params.values["progress"], &value); err != nil {
		h.fail("progress: %v", err)
	}
	for _, r := range w.open {
		if r.token != "" && r.token == token {
			if r.any && value <= r.progress {
				h.fail("progress %v after %v", value, r.progress)
			}
			r.any, r.progress = true, value
			return
		}
	}
	h.fail("progress for %s, which no open request wants", token)
}

// asked takes a question of the session.
func (w *witness) asked(h *hostile, f *Frame, t text) {
	q := &seenQuestion{method: t.str("method")}
	w.questions = append(w.questions, q)
	n := len(w.questions)
	if got, want := string(t.values["id"]), fmt.Sprintf(`"b-%d"`, n); got != want || f.Exchange != Exchange(n) {
		h.fail("the id of a question is %s of exchange %d, want %s", got, f.Exchange, want)
	}
	if h.ended {
		h.fail("a question to a front that has gone")
	}
	params := t.member("params")
	q.signIn = strings.HasPrefix(params.str("message"), signInHost)
	q.elicitation, q.page = params.str("elicitationId"), params.str("mode") == "url"
	q.wait = params.member("requestedSchema").member("properties").values["next"] != nil
	if strings.Contains(string(t.values["params"]), "state-") || params.values["_meta"] != nil {
		h.fail("a question holds more than it may")
	}
	w.owned(h, q, params)
}

// owned finds the request that a question belongs to, by the mark that the upstream
// put into its message: the exchange, and the place of the key.
func (w *witness) owned(h *hostile, q *seenQuestion, params text) {
	var exchange uint32
	mark := params.str("message")
	if q.method == methodSample {
		mark = params.str("systemPrompt")
	}
	if n, _ := fmt.Sscanf(mark, "ask %d", &exchange); n != 1 {
		return
	}
	x := w.exchanges[exchange]
	if x == nil || x.owner == nil {
		return
	}
	if w.open[x.owner.id] != x.owner {
		h.fail("a question for no open request")
		return
	}
	q.owner = x.owner
	_, q.key, _ = strings.Cut(mark, " key ")
	if !slices.Contains(q.owner.keys, q.key) {
		h.fail("a question under the key %q, which its request was not asked under last", q.key)
	}
}

// withdrawn takes the cancellation of a question.
func (w *witness) withdrawn(h *hostile, f *Frame, line []byte) {
	t, _ := readText(line)
	id := string(t.member("params").values["requestId"])
	q := w.question(id)
	switch {
	case t.str("method") != methodCancelled || fmt.Sprintf(`"b-%d"`, f.Exchange) != id:
		h.fail("no cancellation of a question")
	case q == nil || q.answered || q.withdrawn:
		h.fail("a cancellation of %s, which is not open", id)
	default:
		q.withdrawn = true
	}
}

// settled checks a step as a whole.
func (w *witness) settled(h *hostile) {
	if w.nameless != 0 || len(w.plain) != 0 {
		h.fail("%d errors without an id and those for %q are missing", w.nameless, w.plain)
	}
	for id, r := range w.open {
		s := h.session.core.table.ofFront([]byte(id))
		if s == nil && !h.drained {
			h.fail("request %s (%s) is not answered and not in flight", id, r.method)
		}
	}
	for i, q := range w.questions {
		if !q.answered && !q.withdrawn && q.owner != nil && w.open[q.owner.id] != q.owner && !h.drained {
			h.fail("question b-%d waits for a request that has ended", i+1)
		}
	}
}

// nothingOpen checks that every request was answered or cancelled, and every question
// answered or withdrawn.
func (w *witness) nothingOpen(h *hostile, when string) {
	if len(w.open) > 0 && !h.drained {
		h.fail("%d requests are open %s", len(w.open), when)
	}
	for i, q := range w.questions {
		if !q.answered && !q.withdrawn {
			h.fail("question b-%d is open %s", i+1, when)
		}
	}
}
