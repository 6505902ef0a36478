package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Every operation works, and has its row.
func TestOperations(t *testing.T) {
	r, err := newRig(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	all := r.operations()
	for range 2 {
		for _, o := range all {
			if err := o.do(t.Context()); err != nil {
				t.Errorf("%s: %v", o.name, err)
			}
			o.took = append(o.took, time.Millisecond)
		}
	}
	if got, want := strings.Count(table(all), "1ms |       1× |       1× |\n"), len(all); got != want {
		t.Errorf("%d rows, want %d:\n%s", got, want, table(all))
	}
}

// The ratios are those of medians.
func Example_table() {
	us := func(n ...time.Duration) (all []time.Duration) {
		for _, d := range n {
			all = append(all, d*time.Microsecond)
		}
		return all
	}
	fmt.Print(table([]*operation{
		{name: readBase, took: us(9000, 40, 39)}, {name: writeBase, took: us(5000, 1, 6000)}, {name: "other", took: us(100, 100)},
	}))
	// Output:
	// | operation                                          |     median |    reads |   writes |
	// |----------------------------------------------------|-----------:|---------:|---------:|
	// | Get, 4 KiB                                         |       40µs |       1× |   0.008× |
	// | Put, 4 KiB, synced                                 |        5ms |     125× |       1× |
	// | other                                              |      100µs |     2.5× |    0.02× |
}
