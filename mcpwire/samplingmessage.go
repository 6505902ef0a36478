package mcpwire

import (
	"slices"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// maxSamplingBlocks is how many blocks the messages of one sampling request, or its
// answer, may have.
const maxSamplingBlocks = 10_000

// A messageCheck follows the messages of a sampling request (T117): who uses a tool
// is answered in the next message, by results for exactly these uses and nothing
// else.
type messageCheck struct {
	m      *jsonrpc.Message
	tools  bool            // may be used
	open   map[string]bool // ids of the uses in the message before that have no result yet
	blocks int             // read so far
}

// messages checks the array at s.
func (c *messageCheck) messages(s jsonrpc.Span) bool {
	w := c.m.Walk(s)
	for some := false; ; some = true {
		if !w.Next() {
			return some && len(c.open) == 0
		}
		if !c.message(w.Skip()) {
			return false
		}
	}
}

// A messageTurn is what a message of a sampling request says.
type messageTurn struct {
	uses    map[string]bool // ids; nil if there are none
	results []string        // ids of the uses that they answer
	others  bool            // there is a block that is no result
}

// message checks the message at s.
func (c *messageCheck) message(s jsonrpc.Span) bool {
	var found [2]picked
	if !pickOnce(c.m, s, found[:], "role", "content") {
		return false
	}
	role, content := found[0].Value, found[1].Value
	var t messageTurn
	return c.eachBlock(content, func(b samplingBlock) bool { return c.block(&t, b) }) && c.follows(role, &t)
}

// follows reports whether a message may follow the one before.
func (c *messageCheck) follows(role jsonrpc.Span, t *messageTurn) bool {
	assistant := c.m.Is(role, "assistant")
	switch {
	case !assistant && !c.m.Is(role, "user"),
		assistant && t.results != nil,
		!assistant && t.uses != nil,
		len(t.results) != len(c.open),
		t.others && t.results != nil:
		return false
	}
	for _, id := range t.results {
		if !c.open[id] {
			return false
		}
		delete(c.open, id)
	}
	c.open = t.uses
	return true
}

// eachBlock calls visit for each block of the content at s, which is a block or an
// array of blocks. It reports false if s is neither, or visit does.
func (c *messageCheck) eachBlock(s jsonrpc.Span, visit func(b samplingBlock) bool) bool {
	one := func(s jsonrpc.Span) bool {
		b, ok := readBlock(c.m, s)
		c.blocks++
		return ok && c.blocks <= maxSamplingBlocks && visit(b)
	}
	if c.m.First(s) != '[' {
		return one(s)
	}
	for w := c.m.Walk(s); w.Next(); {
		if !one(w.Skip()) {
			return false
		}
	}
	return true
}

// block takes note of a block.
func (c *messageCheck) block(t *messageTurn, b samplingBlock) bool {
	switch {
	case b.kind < blockUse:
		t.others = true
		return true
	case !c.tools:
		return false
	case b.kind == blockResult:
		t.results = append(t.results, b.id)
		return true
	}
	if t.uses == nil {
		t.uses = make(map[string]bool)
	}
	t.others = true
	twice := t.uses[b.id]
	t.uses[b.id] = true
	return !twice
}

// A blockKind is a type of content in sampling.
type blockKind uint8

const (
	blockText blockKind = iota
	blockImage
	blockAudio
	blockUse // of a tool
	blockResult
)

var samplingBlocks = [...]string{
	blockText: "text", blockImage: "image", blockAudio: "audio", blockUse: "tool_use", blockResult: "tool_result",
}

// A samplingBlock is what is read of a block.
type samplingBlock struct {
	kind blockKind
	id   string // of the use that the block is, or answers
}

// readBlock reads the block at s. It reports false if that is no object, its type is
// none that sampling has, it lacks the id that its type wants, or it has one of the
// members that are read twice.
func readBlock(m *jsonrpc.Message, s jsonrpc.Span) (b samplingBlock, ok bool) {
	var found [3]picked
	if !pickOnce(m, s, found[:], "type", "id", "toolUseId") {
		return b, false
	}
	kind := slices.IndexFunc(samplingBlocks[:], func(name string) bool { return m.Is(found[0].Value, name) })
	switch b.kind = blockKind(kind); {
	case kind < 0:
		return b, false
	case b.kind == blockUse:
		b.id, ok = m.String(found[1].Value)
		return b, ok
	case b.kind == blockResult:
		b.id, ok = m.String(found[2].Value)
		return b, ok
	}
	return b, true
}
