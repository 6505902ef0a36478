package oauthloopback

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// inside puts a value where it could be printed from.
type inside[T any] struct {
	Field  T
	hidden T
	Any    any
	any    any
	Ptr    *T
	ptr    *T
	List   []T
	list   []T
	Map    map[string]T
	table  map[string]T
}

func places[T any](v T) map[string]any {
	in := inside[T]{v, v, v, v, &v, &v, []T{v}, []T{v}, map[string]T{"k": v}, map[string]T{"k": v}}
	return map[string]any{
		"value": v, "pointer": &v, "struct": in, "pointer to a struct": &in, "slice": []T{v}, "slice of pointers": []*T{&v},
		"map": map[string]T{"k": v}, "array": [1]T{v}, "any": []any{v, &v}, "function": func() T { return v },
		"hidden only": struct{ v T }{v}, "hidden pointer": struct{ v *T }{&v}, "hidden any": struct{ v any }{v},
	}
}

// secrets are what nobody may see, in each form that a printer could give it.
func secrets(texts ...string) []string {
	var out []string
	for _, s := range texts {
		out = append(out, s, fmt.Sprintf("%x", s), fmt.Sprintf("%X", s), fmt.Sprintf("% x", s), fmt.Sprintf("%v", []byte(s)), fmt.Sprintf("%#v", []byte(s)))
	}
	return out
}

// holders are all values of this package that know a secret, with the secrets.
func holders(t *testing.T) (all map[string]map[string]any, hidden []string) {
	t.Helper()
	c, events := recorded()
	r := listen(t, c)
	start, u := started(t, r)
	get(t, r, start)
	get(t, r, "/callback"+codeQuery)
	redirect, err := r.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	token := start[len(startPath):]
	s := StartURL{seal("http://"+r.host+start, "start")}
	_, refused := r.AuthURL("https://as.example/" + testState)
	_, foreign := listen(t, config()).Start(u)
	r.Close() // nothing of it moves while it is looked at
	return map[string]map[string]any{
		"Secret": places(c.State), "Config": places(c), "AuthURL": places(u), "StartURL": places(s), "Redirect": places(redirect),
		"Receiver": places(r), "Event": places(<-events), "Error": places(refused), "foreign": places(foreign),
	}, secrets(testState, testCode, token, u.Raw(), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
}

func clean(t *testing.T, printed string, hidden []string) {
	t.Helper()
	for _, s := range hidden {
		if strings.Contains(printed, s) {
			t.Errorf("%q holds %q", printed, s)
		}
	}
}

// req: S13
func TestSecretsAreNotPrinted(t *testing.T) {
	all, hidden := holders(t)
	verbs := []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "% x", "%d", "%t", "%c", "%p", "%T", "%w"}
	for name, places := range all {
		for place, v := range places {
			t.Run(name+" "+place, func(t *testing.T) {
				for _, verb := range verbs {
					clean(t, fmt.Sprintf(verb, v), hidden)
				}
				clean(t, fmt.Sprint(v), hidden)
				clean(t, fmt.Errorf("%v %w", v, fmt.Errorf("%v", v)).Error(), hidden)
			})
		}
	}
}

// req: S13
func TestSecretsAreNotEncoded(t *testing.T) {
	all, hidden := holders(t)
	for name, places := range all {
		for place, v := range places {
			t.Run(name+" "+place, func(t *testing.T) {
				out, _ := json.Marshal(v)
				clean(t, string(out), hidden)
				out, _ = xml.Marshal(v)
				clean(t, string(out), hidden)
				var stream bytes.Buffer
				gob.NewEncoder(&stream).Encode(v)
				clean(t, stream.String(), hidden)
				if m, ok := v.(encoding.TextMarshaler); ok {
					out, _ = m.MarshalText()
					clean(t, string(out), hidden)
				}
				for _, h := range []slog.Handler{slog.NewTextHandler(&stream, nil), slog.NewJSONHandler(&stream, nil)} {
					slog.New(h).With("a", v).Info("text", "b", v, slog.Group("g", "c", v))
				}
				clean(t, stream.String(), hidden)
			})
		}
	}
}

// An encoder that skipped a secret, or wrote another text in its place, would lose it
// without a word.
func TestEncodingASecretFails(t *testing.T) {
	r := listen(t, config())
	for name, v := range map[string]any{"Secret": NewSecret("x"), "AuthURL": goodURL(t, r), "StartURL": StartURL{}, "Redirect": Redirect{}} {
		if out, err := json.Marshal(v); err == nil {
			t.Errorf("json.Marshal of a %s = %s, want an error", name, out)
		}
		if err := gob.NewEncoder(&bytes.Buffer{}).Encode(v); err == nil {
			t.Errorf("gob of a %s succeeds, want an error", name)
		}
		if out, err := v.(encoding.TextMarshaler).MarshalText(); err == nil {
			t.Errorf("MarshalText of a %s = %s, want an error", name, out)
		}
	}
}

// A dumper looks through unexported fields and pointers.
//
// req: S13
func TestSecretsAreNotDumped(t *testing.T) {
	all, hidden := holders(t)
	for name, places := range all {
		for place, v := range places {
			t.Run(name+" "+place, func(t *testing.T) {
				d := dumper{seen: map[uintptr]bool{}}
				d.dump(reflect.ValueOf(&v).Elem())
				clean(t, d.out.String(), hidden)
			})
		}
	}
	var d dumper
	d.seen = map[uintptr]bool{}
	d.dump(reflect.ValueOf(&struct{ p *struct{ s []any } }{&struct{ s []any }{[]any{"text", []byte("slice"), [5]byte([]byte("array"))}}}).Elem())
	for _, want := range []string{"text", "slice", "array"} {
		if !strings.Contains(d.out.String(), want) {
			t.Errorf("the dumper sees %q only, not %q", d.out.String(), want)
		}
	}
}

// A dumper writes every text and number that can be reached by reflection.
type dumper struct {
	out  strings.Builder
	seen map[uintptr]bool
}

func (d *dumper) dump(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		d.out.WriteString(v.String() + "\n")
	case reflect.Pointer:
		if v.IsNil() || d.seen[v.Pointer()] {
			return
		}
		d.seen[v.Pointer()] = true
		d.dump(v.Elem())
	case reflect.Interface:
		if !v.IsNil() {
			c := reflect.New(v.Elem().Type()).Elem() // a copy that has an address
			c.Set(open(v).Elem())
			d.dump(c)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			d.dump(open(field))
		}
	case reflect.Uint8:
		d.out.WriteByte(byte(v.Uint()))
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			d.dump(open(v.Index(i)))
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			c := reflect.New(v.Type().Elem()).Elem()
			c.Set(v.MapIndex(k))
			d.dump(c)
			fmt.Fprintln(&d.out, k)
		}
	}
}

// open makes a value that was read from an unexported field one that can be read.
func open(v reflect.Value) reflect.Value {
	if !v.CanAddr() {
		return v
	}
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// What is shown instead says what it is.
func TestShown(t *testing.T) {
	r := listen(t, config())
	u := goodURL(t, r)
	s, err := r.Start(u)
	if err != nil {
		t.Fatal(err)
	}
	for want, v := range map[string]any{
		"https://as.example/…": u, "http://" + r.host + "/start/…": s, "[secret]": NewSecret("x"), "[none]": Redirect{},
	} {
		if got := fmt.Sprint(v); got != want {
			t.Errorf("printed as %q, want %q", got, want)
		}
	}
}
