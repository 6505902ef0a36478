package mcpwire

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var listenSeed = flag.Uint64("listen.seed", 0, "replay TestT163Random with this seed alone")

// A front that changes its mind and an upstream that does anything: whatever comes
// in which order, the contract of T163 holds.
//
// req: N02
func TestT163Random(t *testing.T) { playAll(t, Stdio) }

// The same over HTTP, where streams overlap, and end by statuses too.
//
// req: N02
func TestT163RandomOverHTTP(t *testing.T) { playAll(t, HTTP) }

func playAll(t *testing.T, transport Transport) {
	if *listenSeed != 0 {
		playRandom(t, *listenSeed, transport)
		return
	}
	for seed := uint64(1); seed <= 500 && !t.Failed(); seed++ {
		playRandom(t, seed, transport)
	}
}

// A randomFront is a front and an upstream that act by chance, and what must hold of
// what the session writes to each.
type randomPlay struct {
	*player
	seed uint64
	rnd  *rand.Rand

	next    int                // id of the front
	pending map[int]bool       // changes that are not answered
	watched map[string]bool    // what the front was told; absent if it cannot know
	said    map[int]pendingURI // what each change wants

	streams  map[int]*randomStream // upstream, by id
	newest   int
	inEvents map[int]bool // streams of which an event has reached the front
}

type pendingURI struct {
	uri string
	add bool
}

type randomStream struct {
	asked        map[string]bool
	acknowledged bool // for the session, while it was the newest
	granted      map[string]bool
	takenBack    bool
	ended        bool // the upstream said so
}

func playRandom(t *testing.T, seed uint64, transport Transport) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, seed))
	capabilities := onlyURIs
	if rnd.IntN(2) == 0 {
		capabilities = everything
	}
	o := Options{Transport: transport, Profile: Profile{AllowSwapGap: true}} // so that every update is one of a stream
	r := &randomPlay{player: ready(t, o, capabilities), seed: seed, rnd: rnd, next: 1, pending: map[int]bool{},
		watched: map[string]bool{"u:a": false, "u:b": false, "u:c": false}, said: map[int]pendingURI{}, streams: map[int]*randomStream{}, inEvents: map[int]bool{}}
	r.send("F>", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for range 60 {
		r.act()
		if r.check(); t.Failed() {
			t.Fatalf("replay with -listen.seed=%d", seed)
		}
	}
	if r.finish(); t.Failed() {
		t.Fatalf("replay with -listen.seed=%d", seed)
	}
}

// act lets one of the two do something.
func (r *randomPlay) act() {
	switch r.rnd.IntN(10) {
	case 0, 1, 2:
		r.change()
	case 3:
		if len(r.pending) > 0 {
			id := slices.Sorted(maps.Keys(r.pending))[r.rnd.IntN(len(r.pending))]
			delete(r.pending, id)
			r.send("F>", strings.TrimPrefix(cancelFront(id), "\nF> "))
		}
	case 4:
		if _, armed := r.timers[TimerID{Kind: TimerListen}]; armed {
			r.fireListen()
		}
	case 5:
		r.send("!", fmt.Sprintf("wait %dms", r.rnd.IntN(20_000)))
	default:
		r.upstream()
	}
}

func (r *randomPlay) change() {
	verb, id, c := "resources/subscribe", r.next, pendingURI{fmt.Sprintf("u:%c", 'a'+r.rnd.IntN(3)), true}
	if r.rnd.IntN(2) == 0 {
		verb, c.add = "resources/unsubscribe", false
	}
	r.next++
	r.pending[id], r.said[id] = true, c
	r.send("F>", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":{"uri":"%s"}}`, id, verb, c.uri))
}

// upstream does something with any stream, mostly with the newest.
func (r *randomPlay) upstream() {
	if len(r.streams) == 0 {
		return
	}
	id := r.newest
	if r.rnd.IntN(4) == 0 {
		id = slices.Sorted(maps.Keys(r.streams))[r.rnd.IntN(len(r.streams))]
	}
	s := r.streams[id]
	kinds := 8
	if r.session.core.overHTTP() {
		kinds = 10
	}
	switch r.rnd.IntN(kinds) {
	case 0, 1, 2:
		r.acknowledgeSome(id, s)
	case 3:
		s.ended = true
		r.send("U>", r.on(id)+strings.TrimPrefix(endUp(id), "\nU> "))
	case 4:
		s.ended = true
		r.send("U>", r.on(id)+strings.TrimPrefix(cancelUp(id), "\nU> "))
	case 5:
		s.ended = true
		r.send("U>", r.on(id)+strings.TrimPrefix(failUp(id, []int{-32601, -32603}[r.rnd.IntN(2)]), "\nU> "))
	case 8:
		s.ended = true
		r.send("!", strings.TrimPrefix(endOf(id, []string{"status 401", "status 503 3s", "failed network", "failed timeout"}[r.rnd.IntN(4)]), "\n! "))
	case 9:
		r.send("!", "signed in")
	case 6:
		r.send("U>", r.on(id)+fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%d,"of":%[1]d}}}`, id))
	default:
		r.send("U>", r.on(id)+fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"u:a","_meta":{"io.modelcontextprotocol/subscriptionId":%d,"of":%[1]d}}}`, id))
	}
}

func (r *randomPlay) acknowledgeSome(id int, s *randomStream) {
	var granted []string
	all := r.rnd.IntN(3) > 0
	first := !s.acknowledged && id == r.newest && !s.takenBack && !s.ended
	for _, uri := range slices.Sorted(maps.Keys(s.asked)) {
		if all || r.rnd.IntN(2) == 0 {
			granted = append(granted, `"`+uri+`"`)
			if first {
				s.granted[uri] = true
			}
		}
	}
	s.acknowledged = s.acknowledged || first
	r.send("U>", r.on(id)+strings.TrimPrefix(ackUp(id, `{"toolsListChanged":true,"resourceSubscriptions":[`+strings.Join(granted, ",")+`]}`), "\nU> "))
}

func (r *randomPlay) fireListen() { r.send("!", "fire listen") }

// send plays one input, and checks what is written for it.
func (r *randomPlay) send(op, text string) {
	r.input(op, text)
	answered := false // in this entry: no event of an older stream may follow
	for _, line := range r.wrote {
		switch to, text, _ := strings.Cut(line, " "); to {
		case "F<":
			answered = r.toFront(text, answered) || answered
		case "U<":
			r.toUpstream(text)
		case "X<":
			r.takeBack(r.parse(text).Params.RequestID)
		case "C<":
			if ex := int(r.number(text)); !r.answers(ex) {
				r.takeBack(ex)
			}
		}
	}
	r.wrote = nil
}

type randomLine struct {
	ID     int
	Method string
	Error  *struct{ Data struct{ Cause Cause } }
	Params struct {
		URI           string
		RequestID     int `json:"requestId"`
		Notifications struct{ ResourceSubscriptions []string }
		Meta          struct{ Of int } `json:"_meta"`
	}
}

func (r *randomPlay) parse(text string) (l randomLine) {
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		r.t.Fatal(err)
	}
	return l
}

// toFront takes a line to the front. It reports whether that answers a change.
func (r *randomPlay) toFront(text string, answered bool) bool {
	l := r.parse(text)
	if l.Method == "" {
		r.answer(&l, text)
		return true
	}
	id := l.Params.Meta.Of
	switch s := r.streams[id]; {
	case id == 0: // made up after a loss
	case id != r.active(), !s.acknowledged, s.takenBack, answered:
		r.t.Errorf("seed %d: an event of the stream %d reaches the front: newest %d, %+v", r.seed, id, r.newest, s)
	}
	return false
}

// answer takes the answer to a change: the only one, and true.
func (r *randomPlay) answer(l *randomLine, text string) {
	c := r.said[l.ID]
	if !r.pending[l.ID] {
		r.t.Errorf("seed %d: an answer that nobody waits for: %s", r.seed, text)
	}
	delete(r.pending, l.ID)
	switch {
	case l.Error == nil:
		r.watched[c.uri] = c.add
	case l.Error.Data.Cause == CauseSubscriptionRefused:
		if r.watched[c.uri] && c.add { // it has cancelled an unsubscribe, and now this
			delete(r.watched, c.uri)
		}
	case l.Error.Data.Cause == CauseTimeout:
	default:
		r.t.Errorf("seed %d: %s", r.seed, text)
	}
}

// toUpstream takes a request for a stream: there is no other one then.
func (r *randomPlay) toUpstream(text string) {
	l := r.parse(text)
	if old := r.streams[r.newest]; old != nil && !old.ended && !old.takenBack && !r.session.core.overHTTP() {
		r.t.Errorf("seed %d: the stream %d is opened beside %d", r.seed, l.ID, r.newest)
	}
	if l.ID <= r.newest {
		r.t.Errorf("seed %d: the id %d is used again", r.seed, l.ID)
	}
	s := &randomStream{asked: map[string]bool{}, granted: map[string]bool{}}
	for _, uri := range l.Params.Notifications.ResourceSubscriptions {
		s.asked[uri] = true
	}
	r.newest, r.streams[l.ID] = l.ID, s
}

// answers reports whether the stream has ended by a message, which is closed over HTTP.
func (r *randomPlay) answers(id int) bool { return r.streams[id] != nil && r.streams[id].ended }

func (r *randomPlay) takeBack(id int) {
	s := r.streams[id]
	if s == nil || s.ended || s.takenBack {
		r.t.Errorf("seed %d: the stream %d is taken back: %+v", r.seed, id, s)
		return
	}
	s.takenBack = true
}

// active returns the stream whose events may reach the front: the newest one or, over
// HTTP, the newest of those that were acknowledged and are there.
func (r *randomPlay) active() int {
	if !r.session.core.overHTTP() {
		return r.newest
	}
	newest := 0
	for id, s := range r.streams {
		if s.acknowledged && !s.takenBack && !s.ended {
			newest = max(newest, id)
		}
	}
	return newest
}

// check checks what holds after every input.
func (r *randomPlay) check() {
	checkListener(r.t, r.player)
	l := r.session.core.listen
	waiting := map[int]bool{}
	for _, ch := range l.changes {
		var id int
		if err := json.Unmarshal(ch.slot.front, &id); err != nil {
			r.t.Fatal(err)
		}
		waiting[id] = true
	}
	if !maps.Equal(waiting, r.pending) {
		r.t.Errorf("seed %d: the front waits for %v, the session knows %v", r.seed, r.pending, waiting)
	}
	if r.session.core.table.used() != len(r.pending) {
		r.t.Errorf("seed %d: %d slots for %d changes", r.seed, r.session.core.table.used(), len(r.pending))
	}
	if l.stage == stageActive {
		r.checkActive()
	}
}

// checkActive checks that the active stream has what the front was told that it has.
func (r *randomPlay) checkActive() {
	s := r.streams[r.active()]
	for uri, watched := range r.watched {
		if watched && !s.asked[uri] {
			r.t.Errorf("seed %d: the front watches %s, and the stream %d was not asked for it", r.seed, uri, r.newest)
		}
	}
	for uri := range s.granted {
		if watched, known := r.watched[uri]; known && !watched {
			r.t.Errorf("seed %d: the stream %d has %s, which the front does not watch", r.seed, r.newest, uri)
		}
	}
}

// finish lets an upstream that behaves answer whatever is left.
func (r *randomPlay) finish() {
	for range 10 {
		if s := r.streams[r.newest]; s != nil && !s.ended && !s.takenBack && !s.acknowledged {
			s.acknowledged = true
			var all []string
			for uri := range s.asked {
				s.granted[uri] = true
				all = append(all, `"`+uri+`"`)
			}
			r.send("U>", r.on(r.newest)+strings.TrimPrefix(ackUp(r.newest, `{"toolsListChanged":true,"resourceSubscriptions":[`+strings.Join(all, ",")+`]}`), "\nU> "))
		}
		if _, armed := r.timers[TimerID{Kind: TimerListen}]; armed {
			r.fireListen()
		}
	}
	if len(r.pending) > 0 {
		r.t.Errorf("seed %d: the changes %v are never answered", r.seed, r.pending)
	}
	r.check()
}
