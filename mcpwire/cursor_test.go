package mcpwire

import (
	"fmt"
	"strings"
	"testing"
)

// req: W05
func TestT72(t *testing.T) {
	answers(t, Options{Profile: VSCode}, listTools, []rewriteCase{
		{"null", `{"tools":[],"nextCursor":null}`, `{"tools":[]}`},
		{"number", `{"nextCursor":7,"tools":[]}`, `{"tools":[]}`},
		{"a lone surrogate is not read", `{"tools":[],"nextCursor":"\ud800x"}`, `{"tools":[],"nextCursor":"\ud800x"}`},
		{"a string", `{"tools":[],"nextCursor":"p2"}`, `{"tools":[],"nextCursor":"p2"}`},
		{"empty", `{"tools":[],"nextCursor":""}`, `{"tools":[],"nextCursor":"b-"}`},
		{"one that looks like ours", `{"tools":[],"nextCursor":"b-x"}`, `{"tools":[],"nextCursor":"b-b-x"}`},
		{"the same, escaped", `{"tools":[],"nextCursor":"\u0062-x"}`, `{"tools":[],"nextCursor":"b-\u0062-x"}`},
	})
	for _, tt := range []struct{ front, up string }{
		{`"b-"`, `""`}, {`"b-b-x"`, `"b-x"`}, {`"\u0062-b-x"`, `"b-x"`}, {`"b\u002db-x"`, `"b-x"`}, {`"p2"`, `"p2"`}, {`"\u0070"`, `"\u0070"`}, {`""`, `""`}, {`"b"`, `"b"`},
	} {
		opened(t, Options{}).play(`
			F> {"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":` + tt.front + `}}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":` + tt.up + `,META}}`)
	}
}

// Every list has the rule, and a walk of its own.
//
// req: W05
func TestT72EveryList(t *testing.T) {
	p := opened(t, Options{})
	for name, md := range forwarded() {
		if !md.paged {
			continue
		}
		array := memberNames[md.array]
		for i, next := range []struct{ up, front string }{{`""`, `,"nextCursor":"b-"`}, {`"a"`, `,"nextCursor":"a"`}, {`""`, ``}, {`null`, ``}} {
			params := ``
			if i > 0 {
				params = `,"params":{"cursor":"` + []string{"", "b-", "a", "x"}[i] + `"}`
			}
			id := p.session.core.last + 1
			p.input("F>", `{"jsonrpc":"2.0","id":7,"method":"`+name+`"`+params+`}`)
			p.wrote = nil
			p.play(fmt.Sprintf(`
				U> {"jsonrpc":"2.0","id":%d,"result":{"%s":[],"nextCursor":%s}}
				F< {"jsonrpc":"2.0","id":7,"result":{"%s":[]%s}}`, id, array, next.up, array, next.front))
		}
	}
}

// ends reports whether the front is given no next page.
func ends(line string) bool { return !strings.Contains(line, "nextCursor") }

// page plays one page of tools/list: the request for cursor (JSON, or empty for
// the first page) and an answer that names next.
func (p *player) page(id int, cursor, next string) (got string) {
	p.t.Helper()
	params := ""
	if cursor != "" {
		params = `,"params":{"cursor":` + cursor + `}`
	}
	p.input("F>", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"%s}`, id, params))
	p.wrote = nil
	p.input("U>", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"tools":[],"nextCursor":%s}}`, id, next))
	got = p.wrote[0]
	p.wrote = nil
	return got
}

// req: W05
func TestT72Walk(t *testing.T) {
	t.Run("a cursor that repeats itself", func(t *testing.T) {
		p := opened(t, Options{})
		if ends(p.page(2, ``, `"x"`)) {
			t.Error("the first page is the last")
		}
		if !ends(p.page(3, `"x"`, `"x"`)) {
			t.Error("the page that names itself has a next page")
		}
		if got := p.logged(EventRepaired, "T72"); got != 1 {
			t.Errorf("%d warnings, want 1", got)
		}
	})
	t.Run("a circle of three", func(t *testing.T) {
		p := opened(t, Options{})
		p.page(2, ``, `"a"`)
		p.page(3, `"a"`, `"b"`)
		p.page(4, `"b"`, `"c"`)
		if !ends(p.page(5, `"c"`, `"a"`)) {
			t.Error("the circle goes on")
		}
	})
	t.Run("a page may be asked for again", func(t *testing.T) {
		p := opened(t, Options{})
		p.page(2, ``, `"a"`)
		p.page(3, `"a"`, `"b"`)
		if ends(p.page(4, `"a"`, `"b"`)) {
			t.Error("the list ends at a repeated page")
		}
	})
	t.Run("a new walk starts afresh", func(t *testing.T) {
		p := opened(t, Options{})
		p.page(2, ``, `"a"`)
		p.page(3, `"a"`, `"b"`)
		if ends(p.page(4, ``, `"b"`)) {
			t.Error("the second walk remembers the first")
		}
	})
}

// req: W05
func TestT72WalkHasAnEnd(t *testing.T) {
	t.Run("a walk that was broken into", func(t *testing.T) {
		p := opened(t, Options{Limits: Limits{Pages: 20}})
		p.page(2, ``, `"a"`)
		p.page(3, ``, `null`)
		next := map[string]string{`"a"`: `"b"`, `"b"`: `"a"`}
		cursor := `"a"`
		for i := 4; ; i++ {
			if ends(p.page(i, cursor, next[cursor])) {
				break
			}
			if i > 40 {
				t.Fatal("the circle never ends")
			}
			cursor = next[cursor]
		}
	})
	t.Run("a cursor out of nowhere that names itself", func(t *testing.T) {
		if !ends(opened(t, Options{}).page(2, `"x"`, `"x"`)) {
			t.Error("the page that names itself has a next page")
		}
	})
	t.Run("a walk that is over takes no more memory", func(t *testing.T) {
		p := opened(t, Options{Limits: Limits{Pages: 4}})
		for i := range 100 {
			p.page(i+2, fmt.Sprintf(`"p%d"`, i), fmt.Sprintf(`"p%d"`, i+1))
		}
		if n := len(p.session.pair.(*legacyOverModern).walks[memTools].from); n > 4 {
			t.Errorf("%d cursors are kept, want at most 4", n)
		}
	})
	t.Run("the last page that a walk may have", func(t *testing.T) {
		p := opened(t, Options{Limits: Limits{Pages: 4}})
		cursor := ``
		for i := 1; i <= 4; i++ {
			next := fmt.Sprintf(`"p%d"`, i)
			if got, want := ends(p.page(i+1, cursor, next)), i == 4; got != want {
				t.Errorf("page %d is the last: %v, want %v", i, got, want)
			}
			cursor = next
		}
	})
}

// A list ends at a cursor over the limit, and one that the front was not given goes
// nowhere. Escapes of the front do not count.
//
// req: W05
func TestT72LongCursor(t *testing.T) {
	for _, limit := range []int{30, standard.Cursor} {
		for over := -1; over <= 1; over++ {
			t.Run(fmt.Sprintf("%d of the server: %d", limit, over), func(t *testing.T) {
				p := opened(t, Options{Limits: Limits{Cursor: limit}})
				if got, want := ends(p.page(2, ``, `"`+strings.Repeat("x", limit-2+over)+`"`)), over > 0; got != want {
					t.Errorf("the list ends: %v, want %v", got, want)
				}
				if got := p.logged(EventRepaired, "T72"); got != max(over, 0) {
					t.Errorf("%d events, want %d", got, max(over, 0))
				}
			})
			t.Run(fmt.Sprintf("%d of the front: %d", limit, over), func(t *testing.T) {
				p := opened(t, Options{Limits: Limits{Cursor: limit}})
				cursor := `"` + strings.Repeat("x", 6*(limit+2)-2+over) + `"`
				p.input("F>", `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":`+cursor+`}}`)
				if got, want := strings.Contains(p.wrote[0], `"cause":"invalid_params"`), over > 0; got != want {
					t.Errorf("%.200s: refused: %v, want %v", p.wrote[0], got, want)
				}
			})
		}
	}
	t.Run("as the front writes it", func(t *testing.T) {
		const limit = 30
		p := opened(t, Options{Limits: Limits{Cursor: limit}})
		text := "b-" + strings.Repeat("x", limit-4)
		if !strings.Contains(p.page(2, ``, `"`+text+`"`), `"nextCursor":"b-`+text+`"`) {
			t.Fatal("the longest cursor does not reach the front")
		}
		var escaped strings.Builder
		for _, c := range "b-" + text {
			escaped.WriteString(fmt.Sprintf(`\u%04x`, c))
		}
		p.play(`
			F> {"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"` + escaped.String() + `"}}
			U< {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"` + text + `",META}}`)
	})
}
