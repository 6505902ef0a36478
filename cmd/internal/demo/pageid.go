package demo

import "strings"

// A pageID knows the id that the bridge has given to the page of the session. It is
// random, so the script and what is shown have another text in its place.
type pageID struct {
	text string // empty until it was on the wire
}

const (
	pageIDName  = `"elicitationId":"`
	pageIDStart = "e-"
	pageIDSize  = len(pageIDStart) + 22 // 128 bits in base64
	pageIDShown = pageIDStart + "random"
)

// replace returns frame with the text in the place of the id. The first id that comes
// is the one; any other stays.
func (p *pageID) replace(frame string) string {
	before, rest, ok := strings.Cut(frame, pageIDName)
	if !ok {
		return frame
	}
	id, after, ok := strings.Cut(rest, `"`)
	if !ok || len(id) != pageIDSize || !strings.HasPrefix(id, pageIDStart) {
		return frame
	}
	if p.text == "" {
		p.text = id
	}
	if id != p.text {
		return frame
	}
	return before + pageIDName + pageIDShown + `"` + after
}
