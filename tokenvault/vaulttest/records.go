package vaulttest

import (
	"maps"
	"strings"

	"github.com/trestle-mcp/trestle/tokenvault"
)

var records = []clause{
	{"what was put is got back", func(v *vault) {
		meta := map[string]string{"issuer": "https://issuer.example"}
		o := tokenvault.PutOptions{ExpiresAt: later, Label: "Work", Meta: meta}
		rev, err := v.Put(v.Context(), alice, secret("token"), o)
		v.is("Put", err, nil)
		e := v.get(alice)
		if e.ID != alice || e.Rev != rev || !e.ExpiresAt.Equal(later) || e.SavedAt.IsZero() || e.Label != "Work" || !maps.Equal(e.Meta, meta) {
			v.Errorf("got %+v, revision %v; want what was put, %v", e, e.Rev, rev)
		}
		v.has(alice, "token")
	}},
	{"a record that was never put is not found", func(v *vault) { v.hasNot(alice) }},
	{"an empty value is a value", func(v *vault) {
		v.put(alice, "")
		v.has(alice, "")
	}},
	{"a large value is kept whole", func(v *vault) {
		large := strings.Repeat("0123456789abcdef", 4<<10)
		v.put(alice, large)
		v.has(alice, large)
	}},
	{"records do not meet", func(v *vault) {
		split := tokenvault.ID{Service: "test", Account: "salice", Key: alice.Key}
		for id, text := range map[tokenvault.ID]string{alice: "1", bob: "2", other: "3", split: "4"} {
			v.put(id, text)
		}
		v.is("Delete", v.Delete(v.Context(), bob, tokenvault.Always), nil)
		v.has(alice, "1")
		v.hasNot(bob)
		v.has(other, "3")
		v.has(split, "4")
	}},
	{"what the caller does to its own bytes changes no record", func(v *vault) {
		meta := map[string]string{"a": "b"}
		value := secret("token")
		_, err := v.Put(v.Context(), alice, value, tokenvault.PutOptions{Meta: meta})
		v.is("Put", err, nil)
		meta["a"] = "c"
		value.Destroy()
		got := v.get(alice)
		got.Meta["a"] = "d"
		got.Value.Destroy()
		if again := v.get(alice); again.Meta["a"] != "b" {
			v.Errorf("meta data: got %q, want b", again.Meta["a"])
		}
		v.has(alice, "token")
	}},
	{"the list has every record and no secret", func(v *vault) {
		want := map[tokenvault.ID]tokenvault.Revision{alice: v.put(alice, "1"), other: v.put(other, "2")}
		infos, err := v.List(v.Context())
		v.is("List", err, nil)
		got := map[tokenvault.ID]tokenvault.Revision{}
		for _, i := range infos {
			v.is("List", i.Err, nil)
			got[i.ID] = i.Rev
		}
		if !maps.Equal(got, want) || len(infos) != len(want) {
			v.Errorf("got %v, want %v", got, want)
		}
		if s := v.Status(); s.Records != len(want) {
			v.Errorf("Status.Records: got %d, want %d", s.Records, len(want))
		}
	}},
	{"a deleted record is gone", func(v *vault) {
		v.put(alice, "1")
		v.is("Delete", v.Delete(v.Context(), alice, tokenvault.Always), nil)
		v.hasNot(alice)
		v.is("second Delete", v.Delete(v.Context(), alice, tokenvault.Always), tokenvault.ErrNotFound)
	}},
	{"an ID that cannot be is refused", func(v *vault) {
		for _, key := range []string{"\xff", "a\x00b", strings.Repeat("a", 2049)} {
			id := tokenvault.ID{Service: "tests", Account: "alice", Key: key}
			_, err := v.Put(v.Context(), id, secret("1"), tokenvault.PutOptions{})
			v.is("Put", err, tokenvault.ErrNotWritable)
		}
		v.put(tokenvault.ID{Service: "tests", Account: "alice", Key: strings.Repeat("a", 2048)}, "1")
	}},
	{"a value that is too large is refused, and the one before it stays", func(v *vault) {
		v.put(alice, "small")
		_, err := v.Put(v.Context(), alice, secret(strings.Repeat("a", 256<<10+1)), tokenvault.PutOptions{})
		v.is("Put", err, tokenvault.ErrNotWritable)
		v.has(alice, "small")
	}},
	{"after Close nothing is done", func(v *vault) {
		v.put(alice, "1")
		v.is("Close", v.Close(), nil)
		_, err := v.Get(v.Context(), alice)
		v.is("Get", err, tokenvault.ErrClosed)
		_, err = v.Put(v.Context(), alice, secret("2"), tokenvault.PutOptions{})
		v.is("Put", err, tokenvault.ErrClosed)
		v.is("Delete", v.Delete(v.Context(), alice, tokenvault.Always), tokenvault.ErrClosed)
		_, err = v.List(v.Context())
		v.is("List", err, tokenvault.ErrClosed)
		_, _, err = v.Refresh(v.Context(), alice, tokenvault.Revision{}, nil)
		v.is("Refresh", err, tokenvault.ErrClosed)
	}},
}
