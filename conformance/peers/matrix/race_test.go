//go:build race

package matrix

func init() { withRace = true }
