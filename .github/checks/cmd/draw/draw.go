package main

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// draw orders the names by a hash of the tree and the name and takes the first n.
func draw(tree string, n int, names []string) ([]string, error) {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	if n > len(names) {
		return nil, fmt.Errorf("draw %d of %d names: too few", n, len(names))
	}
	key := func(name string) string {
		sum := sha256.Sum256([]byte(tree + " " + name))
		return string(sum[:])
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(key(a), key(b)) })
	return names[:n], nil
}
