package mcpwire

import (
	"math/rand/v2"
	"testing"
)

// The index agrees with a map through many changes, with keys that share places.
func TestIndex(t *testing.T) {
	var x index
	rng := rand.New(rand.NewPCG(1, 2))
	keyOf := map[int]uint32{} // slot → key
	for range 200_000 {
		slot := rng.IntN(maxInFlight)
		if key, ok := keyOf[slot]; ok {
			x.remove(key, slot)
			delete(keyOf, slot)
		} else {
			key := uint32(rng.IntN(8)) * (indexSize / 2)
			keyOf[slot] = key
			x.put(key, slot)
		}
		probe := rng.IntN(maxInFlight)
		key, want := keyOf[probe]
		if got := want && x.each(key, func(s int) bool { return s == probe }) == probe; got != want {
			t.Fatalf("slot %d under key %d: found %v, want %v", probe, key, got, want)
		}
	}
	for slot, key := range keyOf {
		x.remove(key, slot)
	}
	if x != (index{}) {
		n := 0
		for _, e := range x {
			if e.slot != 0 {
				n++
			}
		}
		if n > 0 {
			t.Errorf("%d entries are left behind", n)
		}
	}
}

// Requests whose ids have one hash are told apart by their bytes.
func TestTableSharedHash(t *testing.T) {
	tab := newTable()
	first := tab.take([]byte(`1`), 1, zeroTime)
	second := tab.take([]byte(`2`), 2, zeroTime)
	tab.byFront.remove(second.hash, second.number)
	second.hash = first.hash
	tab.byFront.put(second.hash, second.number)
	if got := tab.ofFront([]byte(`1`)); got != first {
		t.Errorf("request 1 is in slot %v, want %v", got, first)
	}
	if got := tab.ofFront([]byte(`3`)); got != nil {
		t.Errorf("request 3 is in slot %v, want none", got)
	}
}
