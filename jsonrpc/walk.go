package jsonrpc

// A Walk is a cursor over the members of an object or the elements of an array.
// It was made by [Message.Walk] and is valid as long as its message. The zero
// Walk is at its end. A copy of a Walk goes its own way.
//
// After Next the caller either calls Skip, or Enter and later Leave; a value
// that got neither is skipped by the next call of Next. Each byte is read once,
// whatever the depth. A cursor that is to do little work whatever the peer sent
// has a budget: see [Walk.SetBudget].
type Walk struct {
	m       *Message
	pos     int // next byte to read
	prev    int // end of the value before
	start   int // of the value
	name    Span
	pending bool // the value was neither skipped nor entered
	level   level
	outer   [walkLevels]level // levels left to return to, innermost last
	n       int               // how many there are in outer and deeper
	deeper  *deepLevel        // those that outer has no room for, innermost first
	budget  int               // 1 + how many values Next may still visit; 0 is any number
}

// walkLevels is how deep a Walk goes before it allocates.
const walkLevels = 12

// A level is a container that the cursor is in.
type level struct {
	open int // offset of its opening bracket
	obj  bool
}

// A deepLevel is never written to once it is there, so copies of a cursor share it.
type deepLevel struct {
	level
	outer *deepLevel
}

// Walk returns a cursor over the object or array at s. Over any other value, or
// an absent one, Next reports false.
func (m *Message) Walk(s Span) Walk {
	w := Walk{m: m}
	if c := m.First(s); c == '{' || c == '[' {
		w.enter(s.Off, c)
		return w
	}
	return Walk{}
}

func (w *Walk) enter(open int, c byte) {
	w.level = level{open, c == '{'}
	w.pos = open + 1
	w.prev = w.pos
	w.pending = false
}

// SetBudget bounds how many values the cursor visits from now on, at whatever
// depth: after so many, Next reports false everywhere, as at the end of a
// container, and [Walk.Exceeded] tells the difference. What is skipped, entered or
// left is not counted again. A copy of the cursor has a budget of its own. Without a
// call there is no bound.
func (w *Walk) SetBudget(values int) { w.budget = max(values, 0) + 1 }

// Exceeded reports whether Next stopped at a value that was over the budget.
func (w *Walk) Exceeded() bool { return w.budget == overBudget }

// overBudget is the budget of a cursor that met a value too many.
const overBudget = -1

// spend takes one value from the budget, if that is not used up.
func (w *Walk) spend() bool {
	if w.budget <= 1 {
		w.budget = overBudget
		return false
	}
	w.budget--
	return true
}

// Next moves to the next member or element of the container the cursor is in. It
// reports false at the end of the container, or when the budget is used up.
func (w *Walk) Next() bool {
	if w.m == nil {
		return false
	}
	if w.pending {
		w.Skip()
	}
	c := w.space()
	if c == ',' {
		w.pos++
		c = w.space()
	}
	if c == '}' || c == ']' || w.budget != 0 && !w.spend() {
		return false
	}
	if w.level.obj {
		w.name.Off = w.pos
		w.pos = w.m.skipString(w.pos + 1)
		w.name.End = w.pos
		w.space()
		w.pos++ // colon
		w.space()
	}
	w.start = w.pos
	w.pending = true
	return true
}

// space passes over white space and returns the byte after it.
func (w *Walk) space() byte {
	if c := w.m.Byte(w.pos); c > ' ' {
		return c
	}
	return w.skipSpace()
}

func (w *Walk) skipSpace() byte {
	for {
		for i, c := range w.m.seg(w.pos) {
			if c > ' ' {
				w.pos += i
				return c
			}
		}
		w.pos += len(w.m.seg(w.pos))
	}
}

// InObject reports whether the cursor is in an object, so that each value has a
// name.
func (w *Walk) InObject() bool { return w.level.obj }

// Name returns the span of the member's name with its quotes.
func (w *Walk) Name() Span { return w.name }

// NameIs reports whether the member's name is text, compared after unescaping.
func (w *Walk) NameIs(text string) bool { return w.m.Is(w.name, text) }

// First returns the first byte of the value, which tells its type.
func (w *Walk) First() byte { return w.m.Byte(w.start) }

// Start returns the offset of the first byte of the value.
func (w *Walk) Start() int { return w.start }

// Prev returns the end of the member or element before this one; of the first
// one, the offset just after the opening bracket.
func (w *Walk) Prev() int { return w.prev }

// Skip passes over the value and returns its span.
func (w *Walk) Skip() Span {
	if w.pending {
		w.pos = w.m.skipValue(w.start)
		w.pending = false
	}
	s := Span{w.start, w.pos}
	w.prev = w.pos
	return s
}

// Enter moves the cursor into the value, which must be an object or an array.
func (w *Walk) Enter() {
	c := w.First()
	if !w.pending || c != '{' && c != '[' {
		panic("jsonrpc: Enter of a value that is not an object or an array, or was passed")
	}
	if w.n < walkLevels {
		w.outer[w.n] = w.level
	} else {
		w.deeper = &deepLevel{w.level, w.deeper}
	}
	w.n++
	w.enter(w.start, c)
}

// Leave passes over what is left of the container that the last Enter moved
// into, returns the span of that container, and moves the cursor back out.
func (w *Walk) Leave() Span {
	if w.n == 0 {
		panic("jsonrpc: Leave without Enter")
	}
	if w.pending {
		w.Skip()
	}
	s := Span{w.level.open, w.m.skipOut(w.pos)}
	if w.n--; w.n < walkLevels {
		w.level = w.outer[w.n]
	} else {
		w.level, w.deeper = w.deeper.level, w.deeper.outer
	}
	w.pos, w.prev, w.start = s.End, s.End, s.Off
	return s
}
