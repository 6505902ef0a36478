package signin

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// A document is a JSON object of a server. Names are compared as they are written, and a
// member of another type than expected is as good as absent: what nobody needs may be
// anything.
type document map[string]json.RawMessage

func parseDocument(body []byte) (document, bool) {
	var d document
	err := json.Unmarshal(body, &d)
	return d, err == nil && d != nil
}

func member[T any](d document, name string) (value T, ok bool) {
	raw, found := d[name]
	if !found || string(raw) == "null" || json.Unmarshal(raw, &value) != nil {
		var none T
		return none, false
	}
	return value, true
}

func (d document) text(name string) string {
	s, _ := member[string](d, name)
	return s
}

func (d document) isTrue(name string) bool {
	b, _ := member[bool](d, name)
	return b
}

// texts returns a list of strings. It is nil where there is none.
func (d document) texts(name string) []string {
	list, _ := member[[]string](d, name)
	return list
}

// number returns a number, which some servers write as a string.
func (d document) number(name string) (float64, bool) {
	if n, ok := member[float64](d, name); ok {
		return n, true
	}
	n, err := strconv.ParseFloat(d.text(name), 64)
	return n, err == nil && !math.IsNaN(n) && strings.Trim(d.text(name), "0123456789.") == ""
}

// isJSON reports whether a Content-Type is that of JSON.
func isJSON(contentType string) bool {
	essence, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.Trim(essence, " \t"), "application/json")
}
