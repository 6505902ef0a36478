package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	for _, tt := range []struct{ names, want string }{
		{"memory", "memory"},
		{"memory,speed", "speed memory"},
		{"foo,memory", `no part has the name "foo"; there are allocations, instructions, speed, calls, hostile, memory`},
		{"", `no part has the name ""; there are allocations, instructions, speed, calls, hostile, memory`},
	} {
		chosen, err := choose(tt.names)
		var names []string
		for _, p := range chosen {
			names = append(names, p.name)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("choose(%q) = %s, want %s", tt.names, got, tt.want)
		}
	}
}

// A target that does not hold prints its figure and its profile, and counts.
func Example_target() {
	why := func() { fmt.Println("            | where it goes") }
	held := target(true, why, "T1 %d allocations, want 0", 0)
	held = target(false, why, "T1 %d allocations, want 0", 2) && held
	fmt.Println(held)
	// Output:
	// holds     T1 0 allocations, want 0
	//   NOT HELD  T1 2 allocations, want 0
	//             | where it goes
	// false
}
