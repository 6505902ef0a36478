package vaulttest

import "github.com/trestle-mcp/trestle/tokenvault"

var conditions = []clause{
	{"IfAbsent writes where nothing is", func(v *vault) {
		rev, err := v.Put(v.Context(), alice, secret("1"), tokenvault.PutOptions{When: tokenvault.IfAbsent})
		v.is("Put", err, nil)
		_, err = v.Put(v.Context(), alice, secret("2"), tokenvault.PutOptions{When: tokenvault.IfAbsent})
		v.conflicts("second Put", err, rev)
		v.has(alice, "1")
	}},
	{"IfRevision writes over that revision alone", func(v *vault) {
		first := v.put(alice, "1")
		second, err := v.Put(v.Context(), alice, secret("2"), tokenvault.PutOptions{When: tokenvault.IfRevision(first)})
		v.is("Put", err, nil)
		_, err = v.Put(v.Context(), alice, secret("3"), tokenvault.PutOptions{When: tokenvault.IfRevision(first)})
		v.conflicts("Put over an older one", err, second)
		v.has(alice, "2")
	}},
	{"IfRevision does not bring a record back", func(v *vault) {
		first := v.put(alice, "1")
		v.is("Delete", v.Delete(v.Context(), alice, tokenvault.Always), nil)
		_, err := v.Put(v.Context(), alice, secret("2"), tokenvault.PutOptions{When: tokenvault.IfRevision(first)})
		v.is("Put", err, tokenvault.ErrNotFound)
		v.hasNot(alice)
	}},
	{"a record that was made again has another revision", func(v *vault) {
		first := v.put(alice, "1")
		v.is("Delete", v.Delete(v.Context(), alice, tokenvault.Always), nil)
		again := v.put(alice, "1")
		if first == again {
			v.Errorf("both have revision %v", first)
		}
		_, err := v.Put(v.Context(), alice, secret("2"), tokenvault.PutOptions{When: tokenvault.IfRevision(first)})
		v.conflicts("Put", err, again)
	}},
	{"Delete keeps to its condition", func(v *vault) {
		first := v.put(alice, "1")
		second := v.put(alice, "2")
		v.conflicts("Delete of an older one", v.Delete(v.Context(), alice, tokenvault.IfRevision(first)), second)
		v.has(alice, "2")
		v.is("Delete", v.Delete(v.Context(), alice, tokenvault.IfRevision(second)), nil)
		v.hasNot(alice)
	}},
}
