package jsonrpc

// A gatherer makes a message of text that comes in pieces, and scans it as it
// comes. Small text is gathered in one piece, longer text in chunks. Text that is
// bad or too long is given up: then only what an id needs is kept.
type gatherer struct {
	scanner *scanner
	maxLine int
	pool    *chunkPool
	shift   uint
	size    int // longest small text

	msg    Message // of small text
	big    *Message
	window *window // of text that was given up
	n      int     // bytes of text
}

func newGatherer(o *ReaderOptions, size int, shift uint) gatherer {
	return gatherer{
		scanner: o.newScanner(),
		maxLine: o.maxLine(),
		pool:    &chunkPool{},
		shift:   shift,
		size:    size,
		msg:     Message{members: make([]Member, len(o.members()))},
	}
}

// begin prepares for the next text.
func (g *gatherer) begin() {
	g.window = nil
	g.n = 0
	g.msg.flat = g.msg.flat[:0]
	g.scanner.begin(&g.msg)
}

// drop gives up the chunks.
func (g *gatherer) drop() {
	if g.big != nil {
		g.big.Release()
		g.big = nil
	}
}

// handOver returns the message if it is big; who gets it releases it.
func (g *gatherer) handOver() *Message {
	m := g.big
	g.big = nil
	return m
}

// add takes the next piece, which need not stay. What the scanner sees is scan;
// it is as long as text.
func (g *gatherer) add(text, scan []byte) {
	g.n += len(text)
	g.scanner.feed(scan)
	switch {
	case g.window != nil:
	case g.scanner.fault != 0 || g.n > g.maxLine:
		g.giveUp()
	case g.big == nil && g.n > g.size:
		g.grow()
	}
	switch {
	case g.window != nil:
		g.look(text)
	case g.big != nil:
		g.big.big.add(text)
	default:
		g.msg.flat = append(g.msg.flat, text...)
	}
}

// grow moves the text to chunks.
func (g *gatherer) grow() {
	m := newBig(&g.msg, g.pool, g.shift)
	m.big.add(g.msg.flat)
	g.big, g.scanner.m = m, m
}

// newBig returns a message like m, whose text is to come, in chunks.
func newBig(m *Message, pool *chunkPool, shift uint) *Message {
	big := *m
	big.flat = nil
	big.members = append([]Member(nil), m.members...)
	big.big = &chunkList{shift: shift, pool: pool}
	big.big.holders.Store(1)
	return &big
}

// giveUp goes on in constant memory.
func (g *gatherer) giveUp() {
	m := g.scanner.m
	m.n = len(m.flat)
	if g.big != nil {
		m.n = m.big.n
	}
	g.window = newWindow(m, g.size)
	g.scanner.saveOwnIDs()
	g.drop()
}

// look moves the window over a piece.
func (g *gatherer) look(text []byte) {
	off := g.n - len(text)
	for len(text) > 0 {
		n := copy(g.window.room(), text)
		g.window.add(n)
		text = text[n:]
		off += n
		g.scanner.saveIDs(g.window.bytes(), off-g.window.n)
	}
}

// finish ends the text. It returns nothing if that is blank.
func (g *gatherer) finish() (*Message, error) {
	if g.scanner.blank() {
		return nil, nil
	}
	m := g.scanner.m
	if m.n = g.n; g.big != nil {
		m.big.trim()
	}
	f := g.scanner.verdict(g.n > g.maxLine)
	if f == 0 {
		return m, nil
	}
	if g.window == nil {
		g.scanner.saveOwnIDs()
	}
	return nil, g.scanner.lineError(f)
}
