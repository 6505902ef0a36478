package mcpwire

import (
	"slices"
	"strings"
	"testing"
)

// FuzzInputRequired gives a call any result. Whatever it asks for, the call is answered,
// or goes out again with an answer under each key and the state as it came, and nothing
// is left of it in the end.
func FuzzInputRequired(f *testing.F) {
	for _, result := range []string{
		`{"resultType":"input_required","inputRequests":{"who":FORM,"":PAGE,"__proto__":MODEL,"\u00e9":ROOTS},"requestState":"s"}`,
		`{"resultType":"input_required","inputRequests":{},"requestState":""}`,
		`{"requestState":"\ud83d\ude00","resultType":"input_required","inputRequests":null}`,
		`{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"javascript:1"}}}}`,
		`{"resultType":"input_required","inputRequests":{"a":ROOTS,"a":ROOTS}}`,
		`{"resultType":"input_required","inputRequests":{"a":{"method":"x"}},"requestState":1}`,
	} {
		f.Add(roundWords.Replace(result))
	}
	f.Fuzz(func(t *testing.T, result string) {
		if strings.ContainsAny(result, "\r\n") {
			return // that is more than one line
		}
		p := opened(t, Options{Rand: zeros{}})
		p.play(roundWords.Replace(roundCall))
		p.fuzzRound(Upstream, `{"jsonrpc":"2.0","id":2,"result":`+result+`}`)
		asked := 0
		for _, line := range p.roundWrote("F< ") {
			if l, _ := readText([]byte(line)); l.values["id"] != nil && l.values["method"] != nil {
				asked++
				p.fuzzRound(Front, `{"jsonrpc":"2.0","id":`+string(l.values["id"])+`,"result":`+simpleReply(l.str("method"))+`}`)
			}
		}
		if p.timers[TimerID{TimerRequest, 2}] != (Timer{}) && asked == 0 { // it asks for nothing, and waits
			p.input("!", "fire request")
		}
		if again := p.roundWrote("U< "); len(again) > 0 {
			sent, err := readText([]byte(`{"result":` + result + `}`))
			if err != nil {
				t.Fatalf("went out again because of what is no JSON: %v", err)
			}
			checkRetry(t, sent.member("result"), again[0])
		} else if asked > 0 {
			t.Errorf("%d questions are answered, and the call is not", asked)
		}
		p.nothingLeft()
	})
}

// checkRetry checks the retry against the result that asked for it.
func checkRetry(t *testing.T, asked text, retry string) {
	t.Helper()
	l, err := readText([]byte(retry))
	params := l.member("params")
	want := slices.Sorted(slices.Values(asked.member("inputRequests").names))
	if got := slices.Sorted(slices.Values(params.member("inputResponses").names)); err != nil || !slices.Equal(got, want) {
		t.Errorf("went out with the keys %q, want %q", got, want)
	}
	state := string(asked.values["requestState"])
	if got := string(params.values["requestState"]); got != state && state != "null" {
		t.Errorf("went out with the state %s, want %s", got, state)
	}
}

// simpleReply is an answer to every question with this method. It accepts no form.
func simpleReply(method string) string {
	switch method {
	case methodListRoots:
		return `{"roots":[]}`
	case methodSample:
		return `{"role":"assistant","model":"m","content":{"type":"text","text":"a"}}`
	default:
		return `{"action":"decline"}`
	}
}

// FuzzReply gives any line of the front to a call that has asked four questions. What
// becomes of the one that the line answers, the others do not change; what goes
// upstream holds no more than an answer may.
func FuzzReply(f *testing.F) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":"b-1","result":{"action":"accept","content":{"name":"octo"}}}`,
		`{"jsonrpc":"2.0","id":"b-2","result":{"action":"accept","content":{"x":1}}}`,
		`{"jsonrpc":"2.0","id":"b-3","result":{"role":"assistant","model":"m","content":[{"type":"text","text":"a"}],"_meta":{"vscode.x":1,"y":2}}}`,
		`{"jsonrpc":"2.0","id":"b-4","result":{"roots":[{"uri":"file:///a/../b","name":"n"},{"uri":"https://a.example"}]}}`,
		`{"jsonrpc":"2.0","id":"b-4","error":{"code":-32603,"message":"stack"}}`,
		`{"jsonrpc":"2.0","id":"b-1","result":{"action":"decline"},`,
		`{"jsonrpc":"2.0","id":"\u0062-1","result":{}}`,
		`{"jsonrpc":"2.0","id":7,"result":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`,
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\r\n") || strings.Trim(line, " \t") == "" {
			return
		}
		p := opened(t, Options{Rand: zeros{}})
		p.play(roundWords.Replace(roundCall + `
			U> {V2,"id":2,ASKS"inputRequests":{"f":FORM,"u":PAGE,"m":MODEL,"r":ROOTS}}}
			F< {V2,"id":"b-1",FILLIN
			F< {V2,"id":"b-2",VISIT
			F< {V2,"id":"b-3","method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":5}}
			F< {V2,"id":"b-4","method":"roots/list"}`))
		p.fuzzRound(Front, line)
		alive := p.session.core.table.ofUpstream(2) != nil
		for i, method := range []string{methodElicit, methodElicit, methodSample, methodListRoots} {
			p.fuzzRound(Front, `{"jsonrpc":"2.0","id":"b-`+string(rune('1'+i))+`","result":`+simpleReply(method)+`}`)
		}
		var retry []string
		for _, line := range p.roundWrote("U< ") {
			if strings.Contains(line, `"inputResponses"`) {
				retry = append(retry, line)
			}
		}
		if len(retry) > 0 != alive || len(retry) > 1 {
			t.Fatalf("the call is alive: %v, and went out %d times again", alive, len(retry))
		}
		if alive {
			l, _ := readText([]byte(retry[0]))
			checkResponses(t, l.member("params").member("inputResponses"))
		}
		p.nothingLeft()
	})
}

// checkResponses checks that the answers hold nothing that the rules keep here.
func checkResponses(t *testing.T, responses text) {
	t.Helper()
	may := map[string][]string{
		"f": {"action", "content"}, "u": {"action"},
		"m": {"role", "content", "model", "stopReason", "_meta"}, "r": {"roots"},
	}
	if len(responses.names) != len(may) {
		t.Errorf("answers under %q", responses.names)
	}
	for key, names := range may {
		answer := responses.member(key)
		for _, name := range answer.names {
			if !slices.Contains(names, name) {
				t.Errorf("the answer %q holds %q", key, name)
			}
		}
		if len(answer.names) == 0 || key == "f" && (answer.str("action") == actionAccept) != (answer.values["content"] != nil) {
			t.Errorf("the answer %q is %s", key, responses.values[key])
		}
	}
}

// fuzzRound hands in a line without looking at what is written for it.
func (p *player) fuzzRound(side Side, line string) {
	var out Steps
	p.line(side, line, &out)
	p.carryOut(&out)
}

// roundWrote returns the lines that were written to one side.
func (p *player) roundWrote(op string) (lines []string) {
	for _, line := range p.wrote {
		if text, ok := strings.CutPrefix(line, op); ok {
			lines = append(lines, text)
			p.checkFront(line)
		}
	}
	return lines
}

// nothingLeft checks that nothing is left once the upstream is gone.
func (p *player) nothingLeft() {
	p.t.Helper()
	p.input("!", "lost upstream_exited")
	if c := p.session.core; c.table.used() != 0 || c.table.held != 0 || len(c.questions.slots) != 0 || len(p.timers) != 0 {
		p.t.Errorf("%d slots are in use, %d bytes held, %d questions wait, timers %v run", c.table.used(), c.table.held, len(c.questions.slots), p.timers)
	}
}
