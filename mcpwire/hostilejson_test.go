package mcpwire

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// A maker makes JSON that is legal and unusual: members in any order, white space
// anywhere, names with escapes.
type maker struct {
	*rand.Rand
	wild int // percent: how often what is wrong is made, of the times that are usual
}

// bad reports true so many times in a hundred, or more or less as the maker is wild.
func (g maker) bad(percent int) bool { return g.IntN(10_000) < percent*g.wild }

// in reports true so many times in a hundred.
func (g maker) in(percent int) bool { return g.IntN(100) < percent }

func (g maker) one(list ...string) string { return list[g.IntN(len(list))] }

// space is nothing most of the time.
func (g maker) space() string {
	if g.in(85) {
		return ""
	}
	return g.one(" ", "\t", "  \t ", "\r ")
}

// object is an object of pairs of a name and a value. A pair without value is left out.
func (g maker) object(pairs ...string) string {
	order := g.Perm(len(pairs) / 2)
	if g.in(50) {
		for i := range order {
			order[i] = i
		}
	}
	var parts []string
	for _, i := range order {
		if name, value := pairs[2*i], pairs[2*i+1]; value != "" {
			parts = append(parts, g.space()+g.name(name)+g.space()+":"+g.space()+value+g.space())
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// name is a string, now and then with an escape in the place of its first character.
func (g maker) name(s string) string {
	if g.in(3) && s != "" && s[0] < 0x80 {
		return fmt.Sprintf(`"\u%04x%s`, s[0], quoted(s[1:])[1:])
	}
	return quoted(s)
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// maybe is s so many times in a hundred, else nothing.
func (g maker) maybe(percent int, s string) string {
	if g.in(percent) {
		return s
	}
	return ""
}

// odd is a value of any type.
func (g maker) odd() string {
	switch g.IntN(40) {
	case 0:
		return strings.Repeat("[", 60) + strings.Repeat("]", 60)
	case 1:
		return strings.Repeat(`{"a":`, 600) + "1" + strings.Repeat("}", 600)
	case 2:
		return `"` + strings.Repeat("long", 1<<g.IntN(15)) + `"`
	case 3:
		return `"\ud800"`
	}
	return g.one("null", "true", "0", "-1", "1e400", "1.5", `""`, `"x"`, "[]", "{}", "[null]", `{"__proto__":{}}`, `"\u0000\ud83d\ude00"`)
}

// broken damages a line.
func (g maker) broken(line string) string {
	at := g.IntN(len(line))
	switch g.IntN(6) {
	case 0:
		return line[:at] + "\xff" + line[at:]
	case 1:
		return line[:max(at, 1)]
	case 2:
		return "[" + line + "," + line + "]"
	case 3:
		return line + line
	case 4:
		return "no message at all"
	}
	return line[:len(line)-1] + `,"id":1}`
}

// A text is an object as it was read: its names in their order, and its values.
type text struct {
	names  []string
	values map[string]json.RawMessage
}

// readText reads an object. It is another reader than the one that is tested.
func readText(line []byte) (text, error) {
	d := json.NewDecoder(strings.NewReader(string(line)))
	t := text{values: map[string]json.RawMessage{}}
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return t, fmt.Errorf("no object: %v", err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return t, err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return t, err
		}
		t.names = append(t.names, name.(string))
		t.values[name.(string)] = v
	}
	_, err := d.Token()
	if err == nil && d.More() {
		err = fmt.Errorf("more than one value")
	}
	return t, err
}

// member returns the object that is the value of a member, or an empty one.
func (t text) member(name string) text {
	v, err := readText(t.values[name])
	if err != nil {
		return text{}
	}
	return v
}

// str returns the string that is the value of a member, or an empty one.
func (t text) str(name string) string {
	var s string
	_ = json.Unmarshal(t.values[name], &s)
	return s
}
