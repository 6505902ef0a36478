package main

import (
	"slices"
	"testing"
)

func TestDraw(t *testing.T) {
	names := []string{"T3", "T4", "T5", "T12", "T42", "T50"}
	first, err := draw("tree a", 3, names)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("does not depend on order or repetition", func(t *testing.T) {
		mixed := slices.Concat(names[3:], names, names[:2])
		got, err := draw("tree a", 3, mixed)
		if err != nil || !slices.Equal(got, first) {
			t.Errorf("draw(%v) = %v, %v, want %v", mixed, got, err, first)
		}
	})
	t.Run("depends on the tree", func(t *testing.T) {
		got, err := draw("tree b", 3, names)
		if err != nil || slices.Equal(got, first) {
			t.Errorf("draw from another tree = %v, %v, want another choice", got, err)
		}
	})
	t.Run("a smaller draw begins the larger one", func(t *testing.T) {
		got, err := draw("tree a", 2, names)
		if err != nil || !slices.Equal(got, first[:2]) {
			t.Errorf("draw 2 = %v, %v, want %v", got, err, first[:2])
		}
	})
	t.Run("refuses more than there are", func(t *testing.T) {
		if got, err := draw("tree a", 7, names); err == nil {
			t.Errorf("draw 7 of 6 = %v, want an error", got)
		}
	})
}
