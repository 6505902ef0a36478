package peers

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// expected are the things that TRESTLE_EXPECT names, with commas between: a test
// that would be skipped for want of one of them fails instead.
var expected = strings.Split(os.Getenv("TRESTLE_EXPECT"), ",")

// skipWithout ends the test for want of a thing.
func skipWithout(t *testing.T, thing string, why error) {
	t.Helper()
	if slices.Contains(expected, thing) {
		t.Fatal(why)
	}
	t.Skip(why)
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "peers-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	kit.dir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}
