package mcpwire

import (
	"strconv"
	"strings"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A samplingParam is a member of the params of sampling/createMessage that may reach
// the front (T119). In an optional one null counts as absent.
type samplingParam struct {
	name     string
	first    string // first bytes of a value of the right type
	required bool
	check    func(m *jsonrpc.Message, s jsonrpc.Span) bool // what else must hold; may be nil
}

// firstOfNumber are the bytes that a number begins with.
const firstOfNumber = "-0123456789"

var samplingParams = [...]samplingParam{
	samplingMessages:  {name: "messages", first: "[", required: true},
	samplingMaxTokens: {name: "maxTokens", first: firstOfNumber, required: true, check: isTokenCount},
	samplingTools:     {name: "tools", first: "[", check: onlyObjects},
	samplingChoice:    {name: "toolChoice", first: "{"},
	samplingContext:   {name: "includeContext", first: `"`, check: isContext},
	{name: "modelPreferences", first: "{"},
	{name: "systemPrompt", first: `"`},
	{name: "temperature", first: firstOfNumber},
	{name: "stopSequences", first: "[", check: onlyStrings},
	{name: "metadata", first: "{"},
}

// Places in samplingParams.
const (
	samplingMessages = iota
	samplingMaxTokens
	samplingTools
	samplingChoice
	samplingContext
)

// A samplingMembers are the members of one request, by their place in samplingParams.
type samplingMembers [len(samplingParams)]picked

// readSampling implements T117 for the params of sampling/createMessage (I03): the
// members that may reach the front have their types and stand once, and the messages
// follow the rules. Without sampling.tools there are no tools, no choice of one, and no
// use or result of one in a message. It reports false if the front must not be asked.
func (r *questioner) readSampling(params jsonrpc.Span) (found samplingMembers, ok bool) {
	var names [len(samplingParams)]string
	for i, p := range samplingParams {
		names[i] = p.name
	}
	if !pickOnce(r.m, params, found[:], names[:]...) {
		return found, false
	}
	for i, p := range samplingParams {
		s := found[i].Value
		if s.IsZero() && !p.required {
			continue
		}
		if strings.IndexByte(p.first, r.m.First(s)) < 0 || p.check != nil && !p.check(r.m, s) {
			return found, false
		}
	}
	tools := r.can&canSampleTools != 0
	if !tools && (!found[samplingTools].IsZero() || !found[samplingChoice].IsZero()) {
		return found, false
	}
	c := messageCheck{m: r.m, tools: tools}
	return found, c.messages(found[samplingMessages].Value)
}

// appendSampling implements T119 for sampling: it appends the params for the front, the
// members that were read, in their order and as they came. Without sampling.context
// includeContext stays here, and the default is none. A maxTokens over the ceiling, if
// there is one, becomes the ceiling (I13).
func (r *questioner) appendSampling(b []byte, found samplingMembers) []byte {
	if r.can&canSampleContext == 0 {
		found[samplingContext] = picked{}
	}
	if most := r.o.MaxTokens; most > 0 && clampTokens(r.m, &found[samplingMaxTokens], most) {
		r.note(EventRepaired, "I13", 1)
	}
	return appendPicked(b, r.m, found[:])
}

// clampTokens gives a number over ceiling the ceiling for its value.
func clampTokens(m *jsonrpc.Message, p *picked, ceiling int) bool {
	most := strconv.AppendInt(nil, int64(ceiling), 10)
	if d, _ := numberAt(m, p.Value); d.compare(parseDecimal(most)) <= 0 {
		return false
	}
	p.instead = most
	return true
}

// isTokenCount reports whether the number at s is a whole one, and at least 1.
func isTokenCount(m *jsonrpc.Message, s jsonrpc.Span) bool {
	d, ok := numberAt(m, s)
	return ok && d.integral() && d.sign() > 0
}

func isContext(m *jsonrpc.Message, s jsonrpc.Span) bool {
	return m.Is(s, "none") || m.Is(s, "thisServer") || m.Is(s, "allServers")
}
