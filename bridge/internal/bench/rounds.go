package main

import (
	"slices"
	"time"
)

// A caller calls a tool of the server many times.
type caller interface {
	// load makes calls, of which some are in flight at a time, and returns how long each
	// took, and all of them.
	load(calls, inFlight int) (each []time.Duration, all time.Duration)
	stop()
}

// A turn is what one of those that are compared does in a round.
type turn struct {
	name  string
	calls int
	start func() caller
}

// The names of turns with a part in a target.
const (
	bareName   = "bare POST"
	bridgeName = "bridge"
	remoteName = "mcp-remote"
)

// A figure is what came of a turn.
type figure struct {
	alone time.Duration // the median of a call, one in flight
	many  float64       // calls in a second, 64 in flight
}

const inFlight = 64

// warm are the calls that are not measured: Node compiles what it has run often.
const warm = 400

// takeTurns returns the figures of each turn, round by round. Who is first changes.
func takeTurns(turns []turn, rounds int) [][]figure {
	figures := make([][]figure, len(turns))
	for round := range rounds {
		for i := range turns {
			which := (i + round) % len(turns)
			figures[which] = append(figures[which], turns[which].take())
		}
	}
	return figures
}

func (t turn) take() figure {
	c := t.start()
	defer c.stop()
	c.load(warm, 8)
	took, _ := c.load(t.calls, 1)
	slices.Sort(took)
	_, all := c.load(t.calls, inFlight)
	return figure{took[len(took)/2], float64(t.calls) / all.Seconds()}
}

// judge prints what came of the turns, of which the first is the bare POST and the
// second the bridge, and reports whether the targets hold.
func judge(turns []turn, figures [][]figure, why func()) bool {
	for i, t := range turns {
		note("%-10s  p50 %7v   %6.0f calls/s at %d in flight", t.name,
			time.Duration(median(each(figures[i], alone))).Round(time.Microsecond), median(each(figures[i], many)), inFlight)
	}
	ours, held := figures[1], true
	for i, t := range turns {
		slower, faster := ratios(ours, figures[i], alone), ratios(ours, figures[i], many)
		switch t.name {
		case bridgeName:
		case bareName:
			held = target(median(slower) <= 2.5, why, "T7 p50 %.2f of a %s, want 2.5 at most; rounds %.2f", median(slower), t.name, slower) && held
			note("calls/s at %d in flight %.2f of the same", inFlight, median(faster))
		case remoteName:
			note("p50 %.3f of %s", median(slower), t.name)
			held = target(median(faster) >= 8, why, "T7 calls/s at %d in flight %.1f of %s, want 8 at least; rounds %.1f",
				inFlight, median(faster), t.name, faster) && held
		default:
			note("p50 %.2f, calls/s at %d in flight %.2f of %s", median(slower), inFlight, median(faster), t.name)
		}
	}
	return held
}

func alone(f figure) float64 { return float64(f.alone) }
func many(f figure) float64  { return f.many }

func each(figures []figure, of func(figure) float64) []float64 {
	all := make([]float64, len(figures))
	for i, f := range figures {
		all[i] = of(f)
	}
	return all
}

// ratios returns those of two turns, round by round.
func ratios(a, b []figure, of func(figure) float64) []float64 {
	all := each(a, of)
	for i, f := range b {
		all[i] /= of(f)
	}
	return all
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	if n := len(sorted); n%2 == 0 {
		return (sorted[n/2-1] + sorted[n/2]) / 2
	}
	return sorted[len(sorted)/2]
}
