// Command bench measures package jsonrpc against its own targets and against
// other libraries, and prints each target with its figure and whether it holds.
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
	only := flag.String("only", "", "parts to run, with commas between them; all if empty")
	child := flag.Bool("child", false, "be the process whose memory is measured")
	flag.Parse()
	if *child {
		beMeasured()
		return
	}
	fmt.Printf("%s %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	held := true
	for _, p := range parts {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), p.name) {
			continue
		}
		fmt.Printf("\n%s\n", p.name)
		held = p.run() && held
	}
	if !held {
		log.Fatal("\nnot all targets hold")
	}
}

// target prints one target.
func target(ok bool, format string, args ...any) bool {
	word := "holds   "
	if !ok {
		word = "NOT HELD"
	}
	fmt.Printf("  %s  %s\n", word, fmt.Sprintf(format, args...))
	return ok
}

// note prints a figure without a target.
func note(format string, args ...any) { fmt.Printf("            %s\n", fmt.Sprintf(format, args...)) }
