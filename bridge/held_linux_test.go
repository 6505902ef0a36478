package bridge

import (
	"os"
	"testing"
)

func descriptors(t *testing.T) int { return entries(t, "/proc/self/fd") }
func threads(t *testing.T) int     { return entries(t, "/proc/self/task") }

func entries(t *testing.T, dir string) int {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
