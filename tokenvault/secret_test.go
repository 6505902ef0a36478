package tokenvault_test

import (
	"bytes"
	"context"
	"encoding"
	"encoding/base64"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
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

const token = "tOkEn-of-the-tests"

// hidden are what nobody may see, in each form that a printer could give it.
func hidden() (all []string) {
	key, _ := hex.DecodeString(testKey.Expose())
	for _, s := range []string{token, testKey.Expose(), string(key)} {
		b := []byte(s)
		all = append(all, s, fmt.Sprintf("%x", s), fmt.Sprintf("%X", s), fmt.Sprintf("% x", s), base64.RawStdEncoding.EncodeToString(b[:len(b)/3*3]),
			strings.Trim(fmt.Sprintf("%v", b), "[]"), strings.TrimPrefix(fmt.Sprintf("%#v", b[:8]), "[]byte")[1:40], fmt.Sprintf("%q", s))
	}
	return all
}

// holders are all types of this package that know a secret.
func holders(t *testing.T) map[string]map[string]any {
	t.Helper()
	secret := tokenvault.NewSecret([]byte(token))
	config := fileConfig(newDir(t))
	file := open(t, config)
	rev := put(t, file, alice, token)
	entry, err := file.Get(t.Context(), alice)
	if err != nil || entry.Value.Expose() != token {
		t.Fatalf("Get: %v, %v", entry, err)
	}
	_, conflict := file.Put(t.Context(), alice, secret, tokenvault.PutOptions{When: tokenvault.IfAbsent})
	memory := open(t, tokenvault.Config{Mode: tokenvault.Memory})
	put(t, memory, alice, token)
	locked := open(t, keychainConfig(newDir(t), &keychainOfMap{}))
	put(t, locked, alice, token)
	return map[string]map[string]any{
		"Secret": places(secret), "Entry": places(entry), "Config": places(config), "KeySource": places(config.Key),
		"PutOptions": places(tokenvault.PutOptions{When: tokenvault.IfRevision(rev)}), "Error": places(conflict), "foreign": places(talkative(t)),
		"vault of files": places(file), "vault in memory": places(memory), "vault of a keychain": places(locked),
	}
}

// talkative returns the error of a keychain that answers with a secret.
func talkative(t *testing.T) error {
	t.Helper()
	text := errors.New("security: the password is " + token + " " + testKey.Expose())
	_, err := tokenvault.Open(t.Context(), keychainConfig(newDir(t), &keychainOfMap{get: text, set: text}))
	if !errors.Is(err, tokenvault.ErrUnavailable) {
		t.Fatalf("Open: %v, want %v", err, tokenvault.ErrUnavailable)
	}
	return err
}

func clean(t *testing.T, printed string) {
	t.Helper()
	for _, s := range hidden() {
		if strings.Contains(printed, s) {
			t.Errorf("%q holds %q", printed, s)
		}
	}
}

// each calls f with every value in every place.
func each(t *testing.T, f func(t *testing.T, v any)) {
	for name, places := range holders(t) {
		for place, v := range places {
			t.Run(name+" "+place, func(t *testing.T) { f(t, v) })
		}
	}
}

// req: V09
func TestThreat49SecretsAreNotPrinted(t *testing.T) {
	verbs := []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "% x", "%d", "%o", "%b", "%t", "%c", "%U", "%p", "%T", "%w", "%08.3v"}
	each(t, func(t *testing.T, v any) {
		for _, verb := range verbs {
			clean(t, fmt.Sprintf(verb, v))
		}
		clean(t, fmt.Sprint(v))
		clean(t, fmt.Sprintln(v))
		clean(t, fmt.Errorf("%v %w", v, fmt.Errorf("%+v", v)).Error())
	})
}

// req: V09
func TestThreat49SecretsAreNotEncoded(t *testing.T) {
	each(t, func(t *testing.T, v any) {
		out, _ := json.Marshal(v)
		clean(t, string(out))
		out, _ = xml.Marshal(v)
		clean(t, string(out))
		var stream bytes.Buffer
		gob.NewEncoder(&stream).Encode(v)
		clean(t, stream.String())
		if m, ok := v.(encoding.TextMarshaler); ok {
			out, _ = m.MarshalText()
			clean(t, string(out))
		}
		if m, ok := v.(encoding.BinaryMarshaler); ok {
			out, _ = m.MarshalBinary()
			clean(t, string(out))
		}
	})
}

// req: V09
func TestThreat49SecretsAreNotLogged(t *testing.T) {
	each(t, func(t *testing.T, v any) {
		var stream bytes.Buffer
		for _, h := range []slog.Handler{slog.NewTextHandler(&stream, nil), slog.NewJSONHandler(&stream, nil)} {
			slog.New(h).With("a", v).WithGroup("g").Info("text", "b", v, slog.Group("h", "c", v), "d", []any{v})
		}
		clean(t, stream.String())
	})
}

// A dumper looks through unexported fields and pointers.
//
// req: V09
func TestThreat49SecretsAreNotDumped(t *testing.T) {
	each(t, func(t *testing.T, v any) { clean(t, dumped(v)) })
}

// An encoder that skipped a secret, or wrote another text in its place, would lose it
// without a word.
//
// req: V09
func TestEncodingASecretFails(t *testing.T) {
	secret := tokenvault.NewSecret([]byte(token))
	for name, v := range map[string]any{
		"Secret": secret, "pointer": &secret, "zero": tokenvault.Secret{}, "Entry": tokenvault.Entry{Value: secret}, "slice": []tokenvault.Secret{secret},
		"map": map[string]tokenvault.Secret{"k": secret},
	} {
		if out, err := json.Marshal(v); err == nil {
			t.Errorf("json.Marshal of %s = %s, want an error", name, out)
		}
		if err := gob.NewEncoder(&bytes.Buffer{}).Encode(v); err == nil {
			t.Errorf("gob of %s succeeds, want an error", name)
		}
	}
	if out, err := secret.MarshalText(); err == nil {
		t.Errorf("MarshalText = %s, want an error", out)
	}
	if out, err := secret.MarshalBinary(); err == nil {
		t.Errorf("MarshalBinary = %s, want an error", out)
	}
}

// req: V09
func TestShownInPlaceOfASecret(t *testing.T) {
	secret := tokenvault.NewSecret([]byte(token))
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
		if got := fmt.Sprintf(verb, secret); got != "[redacted]" {
			t.Errorf("%s prints %q, want [redacted]", verb, got)
		}
	}
	if got := fmt.Sprint(secret.String(), secret.GoString(), secret.LogValue()); got != "[redacted] [redacted] [redacted]" && got != "[redacted][redacted][redacted]" {
		t.Errorf("printed as %q", got)
	}
	var out bytes.Buffer
	slog.New(slog.NewTextHandler(&out, nil)).Info("m", "s", secret)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("m", "s", secret)
	if got := strings.Count(out.String(), "[redacted]"); got != 2 {
		t.Errorf("logged as %q", out.String())
	}
}

// Every error of a store is without the secret, whatever went wrong, and so is the log.
//
// req: V09
func TestThreat49ErrorsHoldNoSecret(t *testing.T) {
	dir := newDir(t)
	var log bytes.Buffer
	c := fileConfig(dir)
	c.Logger = slog.New(slog.NewTextHandler(&log, nil))
	id := tokenvault.ID{Service: "tests", Account: token, Key: "https://" + token + ".example/"}
	v := open(t, c)
	rev := put(t, v, id, token)
	secret := tokenvault.NewSecret([]byte(token))
	fails := map[string]error{}
	_, fails["put of another revision"] = v.Put(t.Context(), id, secret, tokenvault.PutOptions{When: tokenvault.IfAbsent})
	_, fails["put of a huge value"] = v.Put(t.Context(), id, tokenvault.NewSecret(bytes.Repeat([]byte(token), 1<<16)), tokenvault.PutOptions{})
	_, fails["put of a bad id"] = v.Put(t.Context(), tokenvault.ID{Key: token + "\x00"}, secret, tokenvault.PutOptions{})
	_, fails["put of a bad label"] = v.Put(t.Context(), id, secret, tokenvault.PutOptions{Label: token + "\xff"})
	_, fails["get of another"] = v.Get(t.Context(), tokenvault.ID{Key: token})
	fails["delete of another"] = v.Delete(t.Context(), tokenvault.ID{Key: token}, tokenvault.Always)
	_, _, fails["refresh inside a refresh"] = v.Refresh(t.Context(), id, rev, func(ctx context.Context, e tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
		_, err := v.Get(ctx, id)
		return tokenvault.Secret{}, time.Time{}, err
	})
	for _, path := range recordsIn(t, dir+"/kf") {
		if err := os.Truncate(path, 200); err != nil {
			t.Fatal(err)
		}
	}
	_, fails["get of a damaged one"] = v.Get(t.Context(), id)
	other := c
	other.Key = tokenvault.KeyFromHex(tokenvault.NewSecret([]byte(strings.Repeat("ab12", 16))))
	_, fails["open with another key"] = tokenvault.Open(t.Context(), other)
	other.Key = tokenvault.KeyFromHex(secret)
	_, fails["open with what is no key"] = tokenvault.Open(t.Context(), other)
	fails["open with a talkative keychain"] = talkative(t)
	for what, err := range fails {
		if err == nil {
			t.Errorf("%s: no error", what)
			continue
		}
		clean(t, fmt.Sprintf("%v %+v %#v %q", err, err, err, err))
		clean(t, dumped(err))
		if _, ok := errors.AsType[*tokenvault.Error](err); !ok {
			t.Errorf("%s: %T, want an Error", what, err)
		}
		if strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %q names a path", what, err)
		}
	}
	clean(t, log.String())
}

func TestSecret(t *testing.T) {
	text := []byte(token)
	s := tokenvault.NewSecret(text)
	clear(text)
	if s.Expose() != token || s.Len() != len(token) || s.IsZero() {
		t.Errorf("NewSecret does not keep a copy: %d bytes", s.Len())
	}
	want := errors.New("x")
	if err := s.Use(func(b []byte) error {
		if string(b) != token {
			t.Errorf("Use gives another text")
		}
		return want
	}); err != want {
		t.Errorf("Use returns %v, want %v", err, want)
	}
	for name, c := range map[string]struct {
		other tokenvault.Secret
		equal bool
	}{
		"the same": {tokenvault.NewSecret([]byte(token)), true}, "itself": {s, true}, "another": {tokenvault.NewSecret([]byte("tOkEn-of-the-testS")), false},
		"a longer one": {tokenvault.NewSecret([]byte(token + "x")), false}, "none": {tokenvault.Secret{}, false},
	} {
		if got := s.Equal(c.other); got != c.equal {
			t.Errorf("Equal to %s is %v", name, got)
		}
	}
	copied := s
	s.Destroy()
	if copied.Expose() != strings.Repeat("\x00", len(token)) {
		t.Error("Destroy leaves the bytes in a copy")
	}
	var zero tokenvault.Secret
	zero.Destroy()
	if !zero.IsZero() || zero.Expose() != "" || !zero.Equal(tokenvault.NewSecret(nil)) {
		t.Error("the zero Secret is not an empty one")
	}
}
