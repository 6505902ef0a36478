package tokenvault_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

// dumped returns every text and number that can be reached by reflection, through
// unexported fields and pointers.
func dumped(v any) string {
	d := dumper{seen: map[uintptr]bool{}}
	d.dump(reflect.ValueOf(&v).Elem())
	return d.out.String()
}

type dumper struct {
	out  strings.Builder
	seen map[uintptr]bool
}

func (d *dumper) dump(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		fmt.Fprintln(&d.out, v.String())
	case reflect.Pointer:
		if v.IsNil() || d.seen[v.Pointer()] {
			return
		}
		d.seen[v.Pointer()] = true
		d.dump(v.Elem())
	case reflect.Interface:
		if !v.IsNil() {
			d.dump(addressed(readable(v).Elem()))
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			d.dump(readable(field))
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			fmt.Fprintf(&d.out, "%s\n", bytesOf(v))
			return
		}
		for i := range v.Len() {
			d.dump(readable(v.Index(i)))
		}
	case reflect.Map:
		for k, e := range v.Seq2() {
			d.dump(addressed(k))
			d.dump(addressed(e))
		}
	}
}

func bytesOf(v reflect.Value) []byte {
	b := make([]byte, v.Len())
	reflect.Copy(reflect.ValueOf(b), v)
	return b
}

// readable makes a value that was read from an unexported field one that can be read.
func readable(v reflect.Value) reflect.Value {
	if !v.CanAddr() {
		return v
	}
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// addressed returns a copy that has an address, as readable needs it.
func addressed(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// The dumper finds what is not hidden.
func TestDumperSees(t *testing.T) {
	type held struct {
		list []any
		m    map[string]*struct{ b []byte }
		a    [5]byte
	}
	got := dumped(struct{ p *held }{&held{[]any{"found"}, map[string]*struct{ b []byte }{"key": {[]byte("deep")}}, [5]byte([]byte("array"))}})
	for _, want := range []string{"found", "key", "deep", "array"} {
		if !strings.Contains(got, want) {
			t.Errorf("the dumper sees %q, without %q", got, want)
		}
	}
}
