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

// checkSampling implements T117 for the params of sampling/createMessage (I03): the
// members that may reach the front have their types and stand once, and the messages
// follow the rules. tools says whether the front declared sampling.tools; without it
// there are no tools, no choice of one, and no use or result of one in a message.
func checkSampling(m *jsonrpc.Message, params jsonrpc.Span, tools bool) bool {
	found, ok := takeSampling(m, params)
	if !ok {
		return false
	}
	for i, p := range samplingParams {
		s := found[i].Value
		if s.IsZero() && !p.required {
			continue
		}
		if strings.IndexByte(p.first, m.First(s)) < 0 || p.check != nil && !p.check(m, s) {
			return false
		}
	}
	if !tools && (!found[samplingTools].IsZero() || !found[samplingChoice].IsZero()) {
		return false
	}
	c := messageCheck{m: m, tools: tools}
	return c.messages(found[samplingMessages].Value)
}

// takeSampling finds the members of params that may reach the front. It reports
// false if one stands twice.
func takeSampling(m *jsonrpc.Message, params jsonrpc.Span) (found [len(samplingParams)]picked, ok bool) {
	var names [len(samplingParams)]string
	for i, p := range samplingParams {
		names[i] = p.name
	}
	return found, pickOnce(m, params, found[:], names[:]...)
}

// appendSamplingParams implements T119 for sampling: it appends the params for the
// front, the members that T119 names, in their order and as they came. context says
// whether the front declared sampling.context; without it includeContext stays
// here, and the default is none. A maxTokens over ceiling, if there is one, becomes the
// ceiling (I13), which is reported. The params have passed checkSampling.
func appendSamplingParams(b []byte, m *jsonrpc.Message, params jsonrpc.Span, context bool, ceiling int) (out []byte, clamped bool) {
	found, _ := takeSampling(m, params)
	if !context {
		found[samplingContext] = picked{}
	}
	if ceiling > 0 {
		clamped = clampTokens(m, &found[samplingMaxTokens], ceiling)
	}
	return appendPicked(b, m, found[:]), clamped
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
