//go:build race

package signin

func init() { withRace = true }
