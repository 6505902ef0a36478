//go:build race

package conformance

func init() { withRace = true }
