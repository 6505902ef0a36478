// Command bench measures package jsonrpc against its own targets and against
// other libraries, and prints each target with its figure and whether it holds. One
// that does not is followed by the top of a profile of what was measured.
//
//	go -C jsonrpc/internal/bench run . [-only allocations,instructions,speed,calls,hostile,memory]
//
// Counts of allocations and instructions repeat; times are compared only within
// one run, in turns. Instructions need valgrind, memory needs Linux; without them
// those parts are left out with a line. It is a module of its own, so that the
// libraries it compares with are no requirements of package jsonrpc.
package main

import (
	"flag"
	"fmt"
	"log"
	"runtime"
	"slices"
	"strings"
)

// A part prints some targets and reports whether all of them hold.
type part struct {
	name string
	run  func() bool
}

var parts = []part{
	{"allocations", allocations},
	{"instructions", instructions},
	{"speed", speed},
	{"calls", calls},
	{"hostile", hostile},
	{"memory", memory},
}

func main() {
	log.SetFlags(0)
	chosen := parts
	flag.Func("only", "`parts` to run, with commas between them; all if not given", func(names string) (err error) {
		chosen, err = choose(names)
		return err
	})
	child := flag.String("child", "", "be the process whose memory is measured, and write its profile to a `file`")
	flag.Parse()
	if *child != "" {
		beMeasured(*child)
		return
	}
	fmt.Printf("%s %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	held := true
	for _, p := range chosen {
		fmt.Printf("\n%s\n", p.name)
		held = p.run() && held
	}
	if !held {
		log.Fatal("\nnot all targets hold")
	}
}

// choose returns the parts with these names, in their own order.
func choose(names string) (chosen []part, err error) {
	var all []string
	for _, p := range parts {
		all = append(all, p.name)
	}
	wanted := strings.Split(names, ",")
	for _, name := range wanted {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("no part has the name %q; there are %s", name, strings.Join(all, ", "))
		}
	}
	for _, p := range parts {
		if slices.Contains(wanted, p.name) {
			chosen = append(chosen, p)
		}
	}
	return chosen, nil
}

// target prints one target, and where the figure comes from if it does not hold.
func target(ok bool, why profile, format string, args ...any) bool {
	word := "holds   "
	if !ok {
		word = "NOT HELD"
	}
	fmt.Printf("  %s  %s\n", word, fmt.Sprintf(format, args...))
	if !ok {
		why()
	}
	return ok
}

// note prints a figure without a target.
func note(format string, args ...any) { fmt.Printf("            %s\n", fmt.Sprintf(format, args...)) }
