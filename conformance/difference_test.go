package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// absent is a value of a [difference] that is no JSON.
const absent = "absent"

// differences compares two lines as JSON values: the order of members counts for
// nothing, the order of elements and the spelling of numbers and strings do.
func differences(t *testing.T, recorded, got []byte) []difference {
	t.Helper()
	a, b := flatten(t, recorded), flatten(t, got)
	var all []difference
	paths := maps.Clone(a)
	maps.Copy(paths, b)
	for path := range paths {
		d := difference{Path: path, Recorded: valueAt(a, path), Got: valueAt(b, path)}
		if d.Recorded == d.Got {
			continue
		}
		all = append(all, d)
	}
	return all
}

func valueAt(flat map[string]string, path string) string {
	if v, ok := flat[path]; ok {
		return v
	}
	return absent
}

// flatten maps the path of each value to the raw value, that of an object to its
// kind, and that of an array to what its elements are called.
func flatten(t *testing.T, line []byte) map[string]string {
	t.Helper()
	flat := map[string]string{}
	if err := flattenInto(flat, "", line); err != nil {
		t.Fatalf("line %s: %v", line, err)
	}
	return flat
}

func flattenInto(flat map[string]string, path string, raw json.RawMessage) error {
	switch raw[0] {
	case '{':
		flat[path] = "object"
		var members map[string]json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil {
			return err
		}
		for name, v := range members {
			if path != "" {
				name = path + "." + name
			}
			if err := flattenInto(flat, name, v); err != nil {
				return err
			}
		}
	case '[':
		var elements []json.RawMessage
		if err := json.Unmarshal(raw, &elements); err != nil {
			return err
		}
		names := make([]string, len(elements))
		for i, v := range elements {
			names[i] = label(i, v, names)
			if err := flattenInto(flat, fmt.Sprintf("%s[%s]", path, names[i]), v); err != nil {
				return err
			}
		}
		flat[path] = "array of " + strings.Join(names, ", ")
	default:
		flat[path] = string(raw)
	}
	return nil
}

// label is the name of an element, or else its index.
func label(i int, v json.RawMessage, taken []string) string {
	var named struct{ Name string }
	if json.Unmarshal(v, &named) == nil && named.Name != "" && !slices.Contains(taken, named.Name) {
		return named.Name
	}
	return fmt.Sprint(i)
}

func TestDifferences(t *testing.T) {
	for _, tt := range []struct {
		name, recorded, got string
		want                int
	}{
		{"the order of members", `{"a":1,"b":[{"name":"x"}]}`, `{"b":[{"name":"x"}],"a":1}`, 0},
		{"the order of elements", `{"a":[1,2]}`, `{"a":[2,1]}`, 2},
		{"digits", `{"a":1.0}`, `{"a":1}`, 1},
		{"an empty object more", `{"a":{}}`, `{"a":{"b":{}}}`, 1},
		{"another type", `{"a":{}}`, `{"a":[]}`, 1},
		{"two names", `{"a":[{"name":"x"}]}`, `{"a":[{"name":"y"}]}`, 5},
		{"the order of names", `{"a":[{"name":"x"},{"name":"y"}]}`, `{"a":[{"name":"y"},{"name":"x"}]}`, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := differences(t, []byte(tt.recorded), []byte(tt.got)); len(got) != tt.want {
				t.Errorf("differences(%s, %s) = %v, want %d", tt.recorded, tt.got, got, tt.want)
			}
		})
	}
}
