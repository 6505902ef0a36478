// Command bench measures the bridge in front of a server at a URL against its own
// targets, and prints each target with its figure and whether it holds. One that does
// not is followed by the top of a profile of the bridge.
//
//	npm --prefix bridge/internal/bench ci
//	go -C bridge/internal/bench run . [-rounds 9] [-calls 1000] [-against PROGRAM]
//
// What is measured is the program mcp-bridge-vscode as go build makes it, between this
// program and a server in a process of its own: over HTTP/1.1, over the same with TLS,
// and over HTTP/2. Only allocations are counted in this process. Its yardsticks are a bare POST of net/http to the same server, and
// mcp-remote, a bridge on npm that speaks the revision; without Node or npm ci that is
// left out with a line. PROGRAM is another build of the bridge.
//
// All take turns in each round. A ratio is of figures of one round, and the median of
// the rounds counts. A time says little by itself, and on a machine that does other work
// too the median of one call at a time is that of one wake-up more or less.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
)

func main() {
	log.SetFlags(0)
	runtime.MemProfileRate = 0 // but for what is profiled
	rounds := flag.Int("rounds", 9, "`rounds` of turns")
	calls := flag.Int("calls", 1000, "`calls` of each measurement; of the bridge on npm a fifth")
	against := flag.String("against", "", "another build of the bridge, to be compared with this one: a `program`")
	child := flag.String("child", "", "be the server of a `kind`, or the bridge of which a profile is taken")
	flag.Parse()
	switch *child {
	case "":
	case "bridge":
		beProfiled(flag.Arg(0), flag.Arg(1), flag.Arg(2))
		return
	default:
		beServer(*child)
		return
	}
	fmt.Printf("%s %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if !measure(*rounds, *calls, *against) {
		log.Fatal("\nnot all targets hold")
	}
}

// measure counts, then measures over each kind of connection, and reports whether all targets hold.
func measure(rounds, calls int, against string) bool {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	bridge := build(dir)
	fmt.Printf("\nallocations\n")
	held := allocations(dir)
	for _, k := range kinds {
		held = measureKind(k, [2]string{bridge, against}, filepath.Join(dir, k.server), rounds, calls) && held
	}
	return held
}

// A kind is one of connections to a server.
type kind struct {
	name        string // of the part that prints it
	server      string // as the child knows it
	secure, two bool   // TLS; HTTP/2
}

var kinds = []kind{
	{name: "HTTP/1.1", server: "plain"},
	{name: "HTTP/1.1 with TLS", server: "tls", secure: true},
	{name: "HTTP/2 with TLS", server: "http2", secure: true, two: true},
}

func measureKind(k kind, bridges [2]string, dir string, rounds, calls int) bool {
	fmt.Printf("\n%s\n", k.name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		log.Fatal(err)
	}
	s := startServer(k, dir)
	defer s.stop()
	at := func(bridge string) func() caller {
		return func() caller { return startBridge(append([]string{bridge}, s.options()...)) }
	}
	turns := []turn{
		{name: bareName, calls: calls, start: func() caller { return newBare(s) }},
		{name: bridgeName, calls: calls, start: at(bridges[0])},
	}
	if bridges[1] != "" {
		turns = append(turns, turn{name: "against", calls: calls, start: at(bridges[1])})
	}
	if !k.secure { // one kind is enough to compare with
		if remote, err := remoteBridge(s); err != nil {
			note("mcp-remote is left out: %v", err)
		} else {
			turns = append(turns, turn{name: remoteName, calls: calls / 5, start: func() caller { return startBridge(remote) }})
		}
	}
	return judge(turns, takeTurns(turns, rounds), func() { profileOf(s, dir) })
}

// target prints one target, and where the figure comes from if it does not hold.
func target(ok bool, why func(), format string, args ...any) bool {
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
