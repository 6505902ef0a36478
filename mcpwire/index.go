package mcpwire

// indexSize is a power of two, so large against [maxInFlight] that chains stay
// short.
const indexSize = 4 * maxInFlight

// An index finds slots by a number, which may belong to several slots. It never
// allocates: entries lie in one table, a taken place sends the entry to the next
// one, and a removal moves later entries back, so no marks are left behind.
type index [indexSize]struct {
	key  uint32
	slot uint16 // number of the slot plus one; zero is an empty place
}

// put adds the slot under key.
func (x *index) put(key uint32, slot int) {
	i := key % indexSize
	for x[i].slot != 0 {
		i = (i + 1) % indexSize
	}
	x[i].key, x[i].slot = key, uint16(slot+1)
}

// each calls f with the slots under key until f returns true, and returns that
// slot, or -1.
func (x *index) each(key uint32, f func(slot int) bool) int {
	for i := key % indexSize; x[i].slot != 0; i = (i + 1) % indexSize {
		if x[i].key == key && f(int(x[i].slot)-1) {
			return int(x[i].slot) - 1
		}
	}
	return -1
}

// remove takes the slot away from key.
func (x *index) remove(key uint32, slot int) {
	i := key % indexSize
	for x[i].key != key || int(x[i].slot)-1 != slot {
		if x[i].slot == 0 {
			return
		}
		i = (i + 1) % indexSize
	}
	hole := i
	for i = (i + 1) % indexSize; x[i].slot != 0; i = (i + 1) % indexSize {
		home := x[i].key % indexSize
		if (i-home)%indexSize >= (i-hole)%indexSize { // its home is not after the hole
			x[hole], hole = x[i], i
		}
	}
	x[hole].slot = 0
}
