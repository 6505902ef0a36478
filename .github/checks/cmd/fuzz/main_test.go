package main

import (
	"slices"
	"testing"
)

func TestTargets(t *testing.T) {
	const list = "FuzzScan\nFuzzWalk\nok  \texample.org/a\t0.004s\n?   \texample.org/b\t[no test files]\nok  \texample.org/c\t0.004s\nFuzzD\nok  \texample.org/d\t0.001s\n"
	want := []target{{"example.org/a", "FuzzScan"}, {"example.org/a", "FuzzWalk"}, {"example.org/d", "FuzzD"}}
	if got := targets(list); !slices.Equal(got, want) {
		t.Errorf("targets = %v, want %v", got, want)
	}
}
