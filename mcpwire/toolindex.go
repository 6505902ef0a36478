package mcpwire

// A toolIndex knows the annotations of the tools that were listed, whoever has asked for
// the list (T199). It is used over HTTP only.
type toolIndex struct {
	tools  map[string]*listedTool
	size   int  // bytes
	whole  bool // every tool that the upstream lists is in it, as far as there was room
	clears int  // how often it was cleared
	lister *slot
}

// find returns what is known of a tool. It reports false where the list must be read
// first.
func (x *toolIndex) find(name []byte) (*listedTool, bool) {
	t := x.tools[string(name)]
	return t, t != nil || x.whole
}

// addAll takes note of tools that were listed.
func (x *toolIndex) addAll(tools []listedTool, limits *Limits) {
	for i := range tools {
		x.add(&tools[i], limits)
	}
}

// add takes note of a tool, if there is room.
func (x *toolIndex) add(t *listedTool, limits *Limits) {
	if old := x.tools[t.name]; old != nil {
		x.size -= old.size
		delete(x.tools, t.name)
	}
	if len(x.tools) >= limits.IndexedTools || x.size+t.size > limits.IndexedBytes {
		return
	}
	if x.tools == nil {
		x.tools = make(map[string]*listedTool)
	}
	x.size += t.size
	kept := *t
	x.tools[t.name] = &kept
}

// clear forgets everything: the list may have changed.
func (x *toolIndex) clear() {
	x.tools, x.size, x.whole = nil, 0, false
	x.clears++
}

// note keeps what is read of a tool, until the page that it is on is read, as far as the
// index could take it.
func (n *listedTools) note(t *listedTool, limits *Limits) {
	if t.name == "" || n.size+t.size > limits.IndexedBytes {
		return
	}
	n.size += t.size
	n.tools = append(n.tools, *t)
}

// listedTools are the tools of one page.
type listedTools struct {
	tools []listedTool
	size  int // bytes
}
