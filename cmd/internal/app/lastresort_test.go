package app

import (
	"context"
	"slices"
	"testing"
)

// req: P16
func TestLastResortKillsFirst(t *testing.T) {
	var got []string
	l := &lastResort{end: func(int) { got = append(got, "end") }}
	l.exit(1)
	l.arm(func() { got = append(got, "kill") })
	if same := lastResortOf(context.WithValue(t.Context(), lastResortKey{}, l)); same != l {
		t.Fatal("lastResortOf gives another one than the context has")
	}
	l.exit(1)
	if want := []string{"end", "kill", "end"}; !slices.Equal(got, want) {
		t.Errorf("exit did %q, want %q", got, want)
	}
}
