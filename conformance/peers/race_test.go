//go:build race

package peers

func init() { withRace = true }
