package mcpwire

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// toUpstream takes a request toward the upstream.
func (w *witness) toUpstream(h *hostile, f *Frame, line []byte) {
	t, err := readText(line)
	n, idErr := strconv.ParseUint(string(t.values["id"]), 10, 32)
	if err != nil || idErr != nil || len(t.names) != 4 || t.str("jsonrpc") != "2.0" || t.member("params").member("_meta").str(keyProtocolVersion) != Revision20260728 {
		h.fail("no request of 2026-07-28")
		return
	}
	if uint32(n) <= w.newest || f.Exchange != Exchange(n) {
		h.fail("id %d of exchange %d after %d", n, f.Exchange, w.newest)
	}
	if h.drained || h.lost {
		h.fail("a request toward an upstream that gets no more")
	}
	w.newest = uint32(n)
	x := &seenExchange{method: t.str("method")}
	w.exchanges[w.newest] = x
	if x.method == methodListen {
		if old := w.exchanges[w.stream]; old != nil && !old.answered && !old.cancelled && h.transport == Stdio {
			h.fail("a stream beside the one of exchange %d", w.stream)
		}
		w.stream = w.newest
	}
	w.input(h, x, t.member("params"))
	w.headers(h, f, t)
}

// input checks what a request toward the upstream says of rounds: the keys and the
// state of the newest result that asked for its own request, and nothing else.
func (w *witness) input(h *hostile, x *seenExchange, params text) {
	number := -1
	if _, err := fmt.Sscanf(params.str("name")+params.str("uri"), "memo:%d", &number); err == nil && number < len(w.made) && methods[x.method] != nil && methods[x.method].rounds {
		x.owner = w.made[number]
	}
	responses, state := params.member("inputResponses"), string(params.values["requestState"])
	if x.owner == nil {
		if md := methods[x.method]; (md == nil || !md.rounds) && (len(responses.names) > 0 || state != "") {
			h.fail("input in a request that does not ask")
		}
		return
	}
	keys := slices.Sorted(slices.Values(responses.names))
	if !slices.Equal(keys, x.owner.keys) || state != x.owner.state {
		h.fail("request %d goes out with the keys %q and state %s, want %q and %s", number, keys, state, x.owner.keys, x.owner.state)
	}
	for key, answer := range responses.values {
		var question int
		if _, at, ok := strings.Cut(string(answer), "answer "); ok {
			fmt.Sscanf(at, "%d", &question)
			if q := w.questions[question-1]; q.owner != nil && (q.owner != x.owner || q.key != key) {
				h.fail("the answer to question %d goes upstream under %q", question, key)
			}
		}
	}
}

// cancelled takes a cancellation toward the upstream.
func (w *witness) cancelled(h *hostile, f *Frame, line []byte) {
	t, _ := readText(line)
	x := w.exchanges[uint32(f.Exchange)]
	switch {
	case t.str("method") != methodCancelled || string(t.member("params").values["requestId"]) != strconv.Itoa(int(f.Exchange)):
		h.fail("no cancellation of exchange %d", f.Exchange)
	case x == nil || x.answered || x.cancelled:
		h.fail("a cancellation of exchange %d, which does not run", f.Exchange)
	default:
		x.cancelled = true
	}
}

// taken checks that the upstream was told of everything that nobody waits for any more
// after the front has gone.
func (w *witness) taken(h *hostile) {
	if !h.drained {
		h.fail("the front has gone, and the upstream's input is not ended")
	}
	for n, x := range w.exchanges {
		if !x.answered && !x.cancelled && !h.lost {
			h.fail("exchange %d (%s) was not taken back at the end", n, x.method)
		}
	}
}
