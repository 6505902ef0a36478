// Package compare takes JSON values apart, to say where two of them differ.
package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Absent is a value that is not there. It is no JSON.
const Absent = "absent"

// Flatten maps the path of each value in raw to the value as it is spelled, that
// of an object to "object", and that of an array to what its elements are called,
// or to "empty array". An element is called by its member name, or else by its index.
func Flatten(raw []byte) (map[string]string, error) {
	flat := map[string]string{}
	if err := flatten(flat, "", raw); err != nil {
		return nil, fmt.Errorf("flatten: %w", err)
	}
	return flat, nil
}

// A Difference is a path whose values are not the same.
type Difference struct {
	Path, A, B string
}

// Differences compares two flattened values, and returns what differs in the order
// of the paths. The order of members counts for nothing, the order of elements and
// the spelling of numbers and strings do.
func Differences(a, b map[string]string) []Difference {
	paths := maps.Clone(a)
	maps.Copy(paths, b)
	var all []Difference
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		d := Difference{Path: path, A: at(a, path), B: at(b, path)}
		if d.A != d.B {
			all = append(all, d)
		}
	}
	return all
}

func at(flat map[string]string, path string) string {
	if v, ok := flat[path]; ok {
		return v
	}
	return Absent
}

func flatten(flat map[string]string, path string, raw json.RawMessage) error {
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
			if err := flatten(flat, name, v); err != nil {
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
			if err := flatten(flat, fmt.Sprintf("%s[%s]", path, names[i]), v); err != nil {
				return err
			}
		}
		flat[path] = "empty array"
		if len(names) > 0 {
			flat[path] = "array of " + strings.Join(names, ", ")
		}
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
