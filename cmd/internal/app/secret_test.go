package app

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// A secret comes out of nothing that prints or encodes, wherever it sits.
//
// req: P06
func TestP06SecretsAreNotPrinted(t *testing.T) {
	const marker = "s3cret"
	s := newSecret([]byte(marker))
	containers := map[string]any{
		"plain": s, "pointer": &s, "slice": []secret{s}, "array": [1]secret{s}, "map": map[string]secret{"k": s}, "interface": []any{s, &s},
		"exported field":   struct{ S secret }{s},
		"unexported field": struct{ s secret }{s},
		"pointer in field": struct{ s *secret }{&s},
		"headers":          []header{{"A", s}},
		"settings":         &settings{headers: []header{{"A", s}}},
		"credentials":      &credentials{headers: []header{{"A", s}}, clientSecret: s, tokenKey: tokenvault.KeyFromHex(tokenvault.NewSecret([]byte(marker)))},
		"nothing":          secret{},
	}
	for name, v := range containers {
		for verb := range strings.FieldsSeq("%v %+v %#v %s %q %x %X %d %t %c %o %b %e %U %T %p") {
			noMarker(t, name+" with "+verb, fmt.Sprintf(verb, v))
		}
		noMarker(t, name+" in a panic or Println", fmt.Sprintln(v))
		text, err := json.Marshal(v)
		noMarker(t, name+" as JSON", fmt.Sprint(string(text), err))
		var out bytes.Buffer
		err = gob.NewEncoder(&out).Encode(v)
		noMarker(t, name+" as gob", fmt.Sprint(out.String(), err))
		out.Reset()
		for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
			slog.New(h).Info("text", "key", v, slog.Group("group", "key", v))
		}
		noMarker(t, name+" in a log", out.String())
	}
	for verb := range strings.FieldsSeq("%v %+v %#v %s %q %x %d") {
		if got := fmt.Sprintf(verb, s); got != redacted {
			t.Errorf("%s of a secret = %q, want %q", verb, got, redacted)
		}
	}
	if text, err := json.Marshal(map[string]any{"key": s}); err == nil {
		t.Errorf("JSON of a secret = %s, want an error", text)
	}
	if text, err := s.MarshalText(); err == nil {
		t.Errorf("text of a secret = %s, want an error", text)
	}
}

func noMarker(t *testing.T, what, out string) {
	t.Helper()
	for _, marker := range []string{"s3cret", "733363726574", "115 51 99 114 101 116", "czNjcmV0", "0x73, 0x33"} {
		if strings.Contains(strings.ToLower(out), strings.ToLower(marker)) {
			t.Errorf("%s: %q holds the secret", what, out)
		}
	}
}

// What becomes of the bytes that a secret was made from does not change it.
func TestSecretIsACopy(t *testing.T) {
	b := []byte("s3cret")
	s := newSecret(b)
	b[0] = 'x'
	if got := string(s.value()); got != "s3cret" {
		t.Errorf("the secret has become %q", got)
	}
}
