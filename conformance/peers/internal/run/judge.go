package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trestle-mcp/trestle/conformance/internal/official"
	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// The revisions of the two wires.
const (
	FrontRevision    = "2025-11-25"
	UpstreamRevision = "2026-07-28"
)

// A Finding is something wrong with a frame.
type Finding struct {
	Wire  string // front or upstream
	Dir   string // > toward the server, < toward the client
	Err   error
	Frame string // the raw line; empty if one is missing
}

// String returns the finding as one paragraph.
func (f Finding) String() string {
	text := strings.Join(strings.Fields(fmt.Sprint(f.Wire, " ", f.Dir, " ", f.Err)), " ")
	if f.Frame == "" {
		return text
	}
	return text + "\n    " + f.Frame
}

// A Wire is one of the two wires. Bridge is the direction in which the bridge
// writes, and empty where there is none. HTTP says that a [tap.Proxy] has recorded it.
type Wire struct {
	Name, Revision string
	Bridge         wire.Dir
	HTTP           bool

	// Older says that an older server is at that end: over HTTP all exchanges are one
	// conversation. That it was asked for its revision is not judged.
	Older bool
}

// Front and Upstream are the wires of a bridge.
var (
	Front    = Wire{Name: "front", Revision: FrontRevision, Bridge: wire.ToClient}
	Upstream = Wire{Name: "upstream", Revision: UpstreamRevision, Bridge: wire.ToServer}
)

// Front returns the wire between the client and the bridge of s.
func (s Session) Front() Wire {
	w := Front
	if s.Client == ClientV2Modern {
		w.Revision = UpstreamRevision
	}
	return w
}

// Upstream returns the wire between the bridge and the server of s.
func (s Session) Upstream() Wire {
	w := Upstream
	w.HTTP = s.Over == OverHTTP || s.Over == OverHTTPS
	if w.Older = s.Older || s.packaged(); w.Older {
		w.Revision = FrontRevision
	}
	return w
}

// packaged reports whether the server of s is one of the packages that are older.
func (s Session) packaged() bool {
	return slices.Contains([]string{"everything", "filesystem", "memory"}, s.Plan)
}

func (k *Kit) judge(s Session, r *Report) error {
	if len(s.Bridge) == 0 {
		return k.judgeWire(Wire{Name: Front.Name, Revision: s.Front().Revision}, s.Record, r)
	}
	if err := k.judgeWire(s.Front(), s.Record, r); err != nil {
		return err
	}
	return k.judgeWire(s.Upstream(), s.Record, r)
}

func (k *Kit) judgeWire(w Wire, dir string, r *Report) error {
	records, err := wire.ReadFile(filepath.Join(dir, w.Name+".jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		r.Faults = append(r.Faults, Finding{Wire: w.Name, Err: errors.New("no process was started here")})
		return nil
	}
	if err != nil {
		return fmt.Errorf("judge the %s wire: %w", w.Name, err)
	}
	rev, err := official.Load(k.schemas, w.Revision)
	if err != nil {
		return err
	}
	Judge(w, rev, records, r)
	switch {
	case w.HTTP:
		judgeExchanges(w, records, r)
	case w.Bridge != "":
		judgeEnds(w, records, r)
	}
	return nil
}

// judgeEnds wants each process behind a tap to have ended by itself: a bridge
// that goes leaves no server behind, and kills none that was about to go. One that
// a client has only asked with server/discover is not looked at: one of the clients
// gives it a second to go and then kills it, however busy the machine is.
func judgeEnds(w Wire, records []wire.Record, r *Report) {
	ended := map[int]bool{}
	for _, rec := range records {
		ended[rec.PID] = ended[rec.PID] || rec.End && rec.Dir == wire.ToClient || asksOnly(rec)
	}
	for _, ok := range ended {
		if !ok {
			r.Faults = append(r.Faults, Finding{Wire: w.Name, Err: errors.New("a process was killed, or left behind")})
		}
	}
}

// judgeExchanges wants each exchange over HTTP to have ended, in whatever way, and to
// be one of a request: nothing is owed to the server but requests, and a cancellation
// is the end of one.
func judgeExchanges(w Wire, records []wire.Record, r *Report) {
	ended := map[int]bool{}
	for _, rec := range records {
		ended[rec.PID] = ended[rec.PID] || rec.End
		var f struct{ ID json.RawMessage }
		if !w.Older && rec.Dir == w.Bridge && !rec.End && json.Unmarshal(rec.Raw(), &f) == nil && f.ID == nil {
			r.Faults = append(r.Faults, Finding{w.Name, string(rec.Dir), errors.New("no request"), rec.Line})
		}
	}
	for _, ok := range ended {
		if !ok {
			r.Faults = append(r.Faults, Finding{Wire: w.Name, Err: errors.New("an exchange was left open")})
		}
	}
}

// asksOnly reports whether the record is the question of a client that has not
// decided yet. It sends no other line to the same process.
func asksOnly(rec wire.Record) bool {
	var f struct{ ID, Method any }
	return rec.Dir == wire.ToServer && json.Unmarshal(rec.Raw(), &f) == nil &&
		f.Method == "server/discover" && f.ID == "server-discover-probe-1"
}

// Judge judges the records of each process as a conversation of its own, and adds
// what it finds to r.
func Judge(w Wire, rev *official.Revision, records []wire.Record, r *Report) {
	if w.Older && w.HTTP {
		records = oneConversation(records)
	}
	conversations := map[int]*official.Conversation{}
	for _, rec := range records {
		c := conversations[rec.PID]
		if c == nil {
			c = official.NewConversation(rev)
			conversations[rec.PID] = c
		}
		if rec.End {
			if w.HTTP && rec.Dir == wire.ToServer {
				c.Cancel(rec.Dir)
			}
			continue
		}
		line := rec.Raw()
		r.Frames++
		err := c.Judge(rec.Dir, line)
		if w.probes(rec) {
			err = nil // who asks which revision a server speaks does not know it
		}
		if rec.Dir == w.Bridge {
			r.BridgeFrames++
			err = errors.Join(err, onlyTheBridge(w, rec, line))
		}
		if err != nil {
			r.add(w, Finding{w.Name, string(rec.Dir), err, string(line)})
		}
	}
	for _, c := range conversations {
		for _, dir := range []wire.Dir{wire.ToServer, wire.ToClient} {
			if methods := c.Unanswered(dir); len(methods) > 0 {
				answerer := wire.ToClient
				if dir == wire.ToClient {
					answerer = wire.ToServer
				}
				err := fmt.Errorf("no answer to %s", strings.Join(slices.Compact(methods), ", "))
				r.add(w, Finding{w.Name, string(answerer), err, ""})
			}
		}
	}
}

// oneConversation makes one of all exchanges with an older server, of which neither an
// answer nor a cancellation is bound to the exchange that it is for. What asks for the
// revision, which such a server does not know, is left out.
func oneConversation(records []wire.Record) []wire.Record {
	asked := map[int]bool{}
	var one []wire.Record
	for _, rec := range records {
		var f struct{ Method string }
		if json.Unmarshal(rec.Raw(), &f) == nil && f.Method == "server/discover" {
			asked[rec.PID] = true
		}
		if asked[rec.PID] || rec.End {
			continue
		}
		rec.PID = 0
		one = append(one, rec)
	}
	return one
}

// probes reports whether the record is the question to a server that turned out to be older.
func (w Wire) probes(rec wire.Record) bool {
	var f struct{ Method string }
	return w.Older && rec.Dir == w.Bridge &&
		json.Unmarshal(rec.Raw(), &f) == nil && f.Method == "server/discover"
}

// onlyTheBridge is what the bridge owes and no schema says.
func onlyTheBridge(w Wire, rec wire.Record, line []byte) error {
	if rec.Open {
		return errors.New("no line ending")
	}
	if w.Name == Front.Name && w.Revision != UpstreamRevision {
		if leaks := official.Leaks(line); len(leaks) > 0 {
			return fmt.Errorf("members of %s: %s", UpstreamRevision, strings.Join(leaks, ", "))
		}
	}
	return nil
}

func (r *Report) add(w Wire, f Finding) {
	if wire.Dir(f.Dir) == w.Bridge {
		r.Faults = append(r.Faults, f)
		return
	}
	r.Listed = append(r.Listed, f)
}
