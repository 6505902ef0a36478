package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// pieces gives the line as a small message and as big ones with chunks of
// several sizes.
func pieces(t testing.TB, line string, o *ReaderOptions) map[string]*Message {
	t.Helper()
	all := make(map[string]*Message)
	m, err := Parse([]byte(line), o)
	if err != nil {
		t.Fatalf("Parse(%s): %v", line, err)
	}
	all["small"] = m
	for shift := range uint(6) {
		r := newReader(strings.NewReader(line), o, 4, shift)
		m, err := r.Read()
		if err != nil {
			t.Fatalf("Read(%s): %v", line, err)
		}
		if !m.Big() {
			t.Fatalf("Read(%s) is not big", line)
		}
		all[fmt.Sprintf("chunks of %d", 1<<shift)] = m
	}
	return all
}

// note wraps a value so that it is params of a notification.
func note(params string) string { return `{"jsonrpc":"2.0","method":"m","params":` + params + `}` }

// flatten writes what the cursor sees, entering every container.
func flatten(m *Message, w *Walk, out *bytes.Buffer) {
	for w.Next() {
		if w.InObject() {
			fmt.Fprintf(out, "%s:", text(m, w.Name()))
		}
		if c := w.First(); c == '{' || c == '[' {
			out.WriteByte(c)
			w.Enter()
			flatten(m, w, out)
			out.WriteString(text(m, w.Leave()))
		} else {
			out.WriteString(text(m, w.Skip()))
		}
		out.WriteByte(' ')
	}
}

func TestWalkSeesEverything(t *testing.T) {
	const params = `{ "a" : [ ] , "b\"" : { "c" : [1, -2.5e3,"x\\",[ [null] ] ], "d":"{[\"" } ,"e":true}`
	for name, m := range pieces(t, note(params), nil) {
		var out bytes.Buffer
		w := m.Walk(m.Params)
		flatten(m, &w, &out)
		const want = `"a":[[ ] "b\"":{"c":[1 -2.5e3 "x\\" [[null [null] [ [null] ] [1, -2.5e3,"x\\",[ [null] ] ] "d":"{[\"" { "c" : [1, -2.5e3,"x\\",[ [null] ] ], "d":"{[\"" } "e":true `
		if out.String() != want {
			t.Errorf("%s: walked\n%s\nwant\n%s", name, &out, want)
		}
		if w.Next() {
			t.Errorf("%s: Next after the end reports true", name)
		}
	}
}

// A value that got neither Skip nor Enter is skipped, and Leave passes over what
// is left.
func TestWalkLeavesEarly(t *testing.T) {
	for name, m := range pieces(t, note(`{"a":{"b":[1,2,{"c":3}],"d":"}"},"e":[[5],6],"f":7}`), nil) {
		w := m.Walk(m.Params)
		w.Next()
		w.Enter()
		w.Next()
		if got := text(m, w.Leave()); got != `{"b":[1,2,{"c":3}],"d":"}"}` {
			t.Errorf("%s: Leave after Next = %s", name, got)
		}
		w.Next()
		w.Enter()
		if got := text(m, w.Leave()); got != `[[5],6]` {
			t.Errorf("%s: Leave after Enter = %s", name, got)
		}
		if !w.Next() || !w.NameIs("f") || text(m, w.Skip()) != "7" || w.Next() {
			t.Errorf("%s: f does not come last", name)
		}
	}
}

// Prev is what a cut of a member needs.
func TestWalkPrev(t *testing.T) {
	line := note(`{ "a":1 ,"b":[ 2 , 3] , "c":4}`)
	for name, m := range pieces(t, line, nil) {
		w := m.Walk(m.Params)
		var got []string
		add := func() { got = append(got, line[w.Prev():w.Start()]) }
		w.Next()
		add()
		w.Next()
		add()
		w.Enter()
		w.Next()
		add()
		w.Next()
		add()
		w.Leave()
		w.Next()
		add()
		want := []string{` "a":`, ` ,"b":`, ` `, ` , `, ` , "c":`}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s: between Prev and Start: %q, want %q", name, got, want)
		}
	}
}

// A budget counts the values that Next gives, at all depths, and ends a walk that
// has more of them.
func TestWalkBudget(t *testing.T) {
	const params = `{"a":[1,{"b":2},[]],"c":{"d":{}},"e":3}`
	const values = 8
	for name, m := range pieces(t, note(params), nil) {
		for budget := range values + 2 {
			w := m.Walk(m.Params)
			w.SetBudget(budget)
			var visit func() int
			visit = func() (n int) {
				for w.Next() {
					n++
					if c := w.First(); c == '{' || c == '[' {
						w.Enter()
						n += visit()
						w.Leave()
					}
				}
				return n
			}
			got := visit()
			if want := min(budget, values); got != want || w.Exceeded() != (budget < values) {
				t.Errorf("%s: budget %d: %d values, exceeded %v, want %d", name, budget, got, w.Exceeded(), want)
			}
			if w.Next() || w.Exceeded() != (budget < values) {
				t.Errorf("%s: budget %d: Next goes on", name, budget)
			}
		}
	}
}

// What is over the budget is still left correctly, and a new budget lets the cursor
// go on where it stopped.
func TestWalkAfterTheBudget(t *testing.T) {
	for name, m := range pieces(t, note(`{"a":[1, 2,{"b":"]"},4],"c":5,"d":6}`), nil) {
		w := m.Walk(m.Params)
		w.SetBudget(2)
		w.Next()
		w.Enter()
		w.Next()
		before := w
		if w.Next() || !w.Exceeded() || before.Exceeded() {
			t.Errorf("%s: Next goes on, or the copy knows of it", name)
		}
		if got := text(m, w.Leave()); got != `[1, 2,{"b":"]"},4]` || w.Next() {
			t.Errorf("%s: Leave = %s, or Next goes on", name, got)
		}
		w.SetBudget(1)
		if w.Exceeded() || !w.Next() || !w.NameIs("c") || text(m, w.Skip()) != "5" || w.Next() || !w.Exceeded() {
			t.Errorf("%s: c is not the one value of the new budget", name)
		}
		before.SetBudget(1)
		if !before.Next() || text(m, before.Skip()) != "2" {
			t.Errorf("%s: the copy does not go on", name)
		}
		w.SetBudget(-1)
		if w.Next() || !w.Exceeded() {
			t.Errorf("%s: a negative budget lets a value pass", name)
		}
	}
	empty := Walk{}
	empty.SetBudget(0)
	if empty.Next() || empty.Exceeded() {
		t.Error("a walk over nothing exceeds its budget")
	}
}

func TestWalkOverOtherValues(t *testing.T) {
	m, err := Parse([]byte(`{"jsonrpc":"2.0","id":1,"result":"s"}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Span{m.Result, m.Params, m.ID} {
		if w := m.Walk(s); w.Next() {
			t.Errorf("Walk(%v): Next reports true over a value without members", s)
		}
	}
}

func TestWalkDeep(t *testing.T) {
	const depth = 500
	m, err := Parse([]byte(nest(depth)), &ReaderOptions{MaxDepth: 512})
	if err != nil {
		t.Fatal(err)
	}
	w := m.Walk(m.Params)
	n := 0
	for w.Next() && w.First() == '[' {
		w.Enter()
		n++
	}
	if n != depth-2 {
		t.Errorf("entered %d levels, want %d", n, depth-2)
	}
	for ; n > 1; n-- {
		w.Leave()
	}
	if got := w.Leave().Len(); got != 2*(depth-2) {
		t.Errorf("outermost array has %d bytes, want %d", got, 2*(depth-2))
	}
}

// A copy of the cursor goes its own way, however deep both are.
func TestWalkCopies(t *testing.T) {
	const deep = walkLevels + 3
	m, err := Parse([]byte(note(`{"a":`+strings.Repeat(`[`, deep)+`[{"b":1}],[[2]]`+strings.Repeat(`]`, deep)+`}`)), nil)
	if err != nil {
		t.Fatal(err)
	}
	enter := func(w *Walk, times int) {
		for range times {
			w.Next()
			w.Enter()
		}
	}
	w := m.Walk(m.Params)
	enter(&w, deep+2) // in the object
	look := w
	look.Leave()
	look.Leave()
	enter(&look, 2) // beside it
	for _, tt := range []struct {
		w    *Walk
		want []string
	}{
		{&w, []string{`{"b":1}`, `[{"b":1}]`, `[[{"b":1}],[[2]]]`}},
		{&look, []string{`[2]`, `[[2]]`, `[[{"b":1}],[[2]]]`}},
	} {
		for _, want := range tt.want {
			if got := text(m, tt.w.Leave()); got != want {
				t.Errorf("Leave() is %s, want %s", got, want)
			}
		}
	}
}

func TestWalkMisuse(t *testing.T) {
	m, err := Parse([]byte(note(`{"a":1}`)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(w *Walk){
		"Leave without Enter": func(w *Walk) { w.Leave() },
		"Enter of a number":   func(w *Walk) { w.Next(); w.Enter() },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("did not panic")
				}
			}()
			w := m.Walk(m.Params)
			f(&w)
		})
	}
}

func TestIs(t *testing.T) {
	for _, tt := range []struct {
		raw, text string
		want      bool
	}{
		{`"abc"`, "abc", true},
		{`"abd"`, "abc", false},
		{`"ab"`, "abc", false},
		{`"abcd"`, "abc", false},
		{`"\u0061bc"`, "abc", true},
		{`"a\/c"`, "a/c", true},
		{`"a\"c"`, `a"c`, true},
		{`"a\nc"`, "a\nc", true},
		{`"a\nc"`, `a\nc`, false},
		{`"\ud83d\ude00"`, "😀", true},
		{`"😀"`, "😀", true},
		{`""`, "", true},
		{`"\u0000"`, "\x00", true},
		{`123`, "2", false},
		{`[]`, "", false},
		{`true`, "ru", false},
	} {
		for name, m := range pieces(t, note(`{"v":`+tt.raw+`}`), &ReaderOptions{Members: []string{"v"}}) {
			if got := m.Is(m.Member(0).Value, tt.text); got != tt.want {
				t.Errorf("%s: Is(%s, %q) = %v, want %v", name, tt.raw, tt.text, got, tt.want)
			}
		}
	}
}

func TestString(t *testing.T) {
	for _, tt := range []struct {
		raw, want string
		ok        bool
	}{
		{`"plain"`, "plain", true},
		{`""`, "", true},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", true},
		{`"a\u00e9\u20AC\ud83d\udE00z"`, "aé€😀z", true},
		{`"x\ud800"`, "", false},
		{`"\udc00\ud800"`, "", false},
		{`"\udc00\udc00"`, "", false},
		{`"\ud800\u0041"`, "", false},
		{`12`, "", false},
		{`null`, "", false},
	} {
		o := &ReaderOptions{Members: []string{"v"}, AllowLoneSurrogates: true}
		for name, m := range pieces(t, note(`{"v":`+tt.raw+`}`), o) {
			s := m.Member(0).Value
			if got, ok := m.String(s); got != tt.want || ok != tt.ok {
				t.Errorf("%s: String(%s) = %q, %v, want %q, %v", name, tt.raw, got, ok, tt.want, tt.ok)
			}
			if got, ok := m.AppendString([]byte("x"), s); string(got) != "x"+tt.want || ok != tt.ok {
				t.Errorf("%s: AppendString(%s) = %q, %v, want %q, %v", name, tt.raw, got, ok, "x"+tt.want, tt.ok)
			}
		}
	}
	m, _ := Parse([]byte(note(`{}`)), nil)
	if _, ok := m.String(Span{}); ok {
		t.Error("String of an absent span reports true")
	}
}

func TestInt(t *testing.T) {
	for _, tt := range []struct {
		raw  string
		want int64
		ok   bool
	}{
		{`0`, 0, true},
		{`-0`, 0, true},
		{`9223372036854775807`, 1<<63 - 1, true},
		{`-9223372036854775808`, -1 << 63, true},
		{`9223372036854775808`, 0, false},
		{`1234567890123456789012345`, 0, false},
		{`1.0`, 0, false},
		{`1e2`, 0, false},
		{`"5"`, 0, false},
		{`null`, 0, false},
	} {
		for name, m := range pieces(t, note(`{"v":`+tt.raw+`}`), &ReaderOptions{Members: []string{"v"}}) {
			got, ok := m.Int(m.Member(0).Value)
			if ok != tt.ok || ok && got != tt.want {
				t.Errorf("%s: Int(%s) = %d, %v, want %d, %v", name, tt.raw, got, ok, tt.want, tt.ok)
			}
		}
	}
}

func TestEqual(t *testing.T) {
	for name, m := range pieces(t, note(`{"v":"abc"}`), &ReaderOptions{Members: []string{"v"}}) {
		s := m.Member(0).Value
		for b, want := range map[string]bool{`"abc"`: true, `"abd"`: false, `"ab"`: false, ``: false} {
			if got := m.Equal(s, []byte(b)); got != want {
				t.Errorf("%s: Equal(%s) = %v, want %v", name, b, got, want)
			}
		}
	}
}

func TestAppendQuote(t *testing.T) {
	for _, s := range []string{"", "plain", "a\"b\\c/", "\x00\x01\b\f\n\r\t\x1b\x7f", "é€😀\u2028", "\xff", "a\xe2\x82"} {
		var got string
		if err := json.Unmarshal(AppendQuote([]byte("1")[:0], s), &got); err != nil {
			t.Errorf("AppendQuote(%q): %v", s, err)
		}
		if want := strings.ToValidUTF8(s, "\uFFFD"); len(want) == len(s) && got != want {
			t.Errorf("AppendQuote(%q) reads as %q", s, got)
		}
		if !accept(string(AppendQuote(nil, s)), nil) {
			t.Errorf("AppendQuote(%q) = %s, which is refused", s, AppendQuote(nil, s))
		}
	}
}

func TestEdits(t *testing.T) {
	line := note(`{"a":1,"b":2}`)
	at := strings.Index(line, `"a"`)
	edits := []Edit{
		{Off: 0, Insert: []byte(" ")},
		{Off: at, Cut: len(`"a":1,`)},
		{Off: at + len(`"a":1,`), Insert: []byte(`"x":0,`)},
		{Off: at + len(`"a":1,`), Insert: []byte(`"y":0,`)},
		{Off: len(line), Insert: []byte(" ")},
	}
	want := " " + note(`{"x":0,"y":0,"b":2}`) + " "
	for name, m := range pieces(t, line, nil) {
		if got := string(m.AppendEdited([]byte("> "), edits)); got != "> "+want {
			t.Errorf("%s: AppendEdited = %s, want %s", name, got, want)
		}
		if got := string(bytes.Join(m.AppendSlices(nil, edits), nil)); got != want {
			t.Errorf("%s: AppendSlices = %s, want %s", name, got, want)
		}
		for _, s := range m.AppendSlices(nil, edits) {
			if len(s) == 0 {
				t.Errorf("%s: AppendSlices gives an empty slice", name)
			}
		}
		if got := string(m.AppendEdited(nil, nil)); got != line {
			t.Errorf("%s: AppendEdited without edits = %s, want %s", name, got, line)
		}
	}
}

// A string that crosses many chunks is compared and passed over as one in one
// piece.
func TestLongStrings(t *testing.T) {
	long := strings.Repeat(`ab\"c\\`, 40)
	for name, m := range pieces(t, note(`{"v":"`+long+`","w":[{"x":"`+long+`"}],"y":1}`), &ReaderOptions{Members: []string{"v"}}) {
		v := m.Member(0).Value
		if !m.Is(v, strings.Repeat("ab\"c\\", 40)) || m.Is(v, "short") || m.Is(v, strings.Repeat("x", 280)) {
			t.Errorf("%s: Is compares a long string wrongly", name)
		}
		w := m.Walk(m.Params)
		for w.Next() {
		}
		if !w.NameIs("y") || text(m, w.Skip()) != "1" {
			t.Errorf("%s: the walk does not end at y", name)
		}
	}
}
