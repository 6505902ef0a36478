package bridge

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

// A secret comes out of nothing that prints or encodes, wherever it sits.
//
// req: P04
func TestP04SecretsAreNotPrinted(t *testing.T) {
	s := NewSecret(marker)
	if s.Expose() != marker || (Secret{}).Expose() != "" {
		t.Errorf("Expose = %q, %q", s.Expose(), (Secret{}).Expose())
	}
	containers := map[string]any{
		"plain": s, "pointer": &s, "slice": []Secret{s}, "array": [1]Secret{s}, "map": map[string]Secret{"k": s}, "interface": []any{s, &s},
		"exported field":   struct{ S Secret }{s},
		"unexported field": struct{ s Secret }{s},
		"pointer in field": struct{ s *Secret }{&s},
		"header":           Header{"A", s},
		"remote":           &Remote{URL: s, Headers: []Header{{"A", s}}},
		"config":           Config{Upstream: Remote{URL: s}},
		"nothing":          Secret{},
	}
	none := func(where, text string) {
		t.Helper()
		if strings.Contains(text, marker) || strings.Contains(text, fmt.Sprintf("%x", marker)) {
			t.Errorf("%s: %s", where, text)
		}
	}
	for name, v := range containers {
		for verb := range strings.FieldsSeq("%v %+v %#v %s %q %x %X %d %t %c %o %b %e %U %T %p") {
			none(name+" with "+verb, fmt.Sprintf(verb, v))
		}
		text, err := json.Marshal(v)
		none(name+" as JSON", fmt.Sprint(string(text), err))
		var out bytes.Buffer
		err = gob.NewEncoder(&out).Encode(v)
		none(name+" as gob", fmt.Sprint(out.String(), err))
		for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
			slog.New(h).Info("text", "key", v)
		}
		none(name+" in a log", out.String())
	}
	for what, err := range map[string]error{"JSON": second(json.Marshal(s)), "text": second(s.MarshalText()), "binary": second(s.MarshalBinary())} {
		if err == nil {
			t.Errorf("%s is encoded", what)
		}
	}
}

func second(_ []byte, err error) error { return err }
