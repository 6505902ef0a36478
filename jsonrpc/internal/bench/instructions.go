package main

import (
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// A counter counts the instructions of tests of package jsonrpc.
type counter struct{ dir string }

// newCounter builds the test binary. It returns nil where valgrind is missing.
func newCounter() *counter {
	if _, err := exec.LookPath("valgrind"); err != nil {
		note("left out: valgrind is not installed")
		return nil
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := goTool("test", "-c", "-o", filepath.Join(dir, "jsonrpc.test"), "."); err != nil {
		log.Fatal(err)
	}
	return &counter{dir}
}

func (c *counter) close() { os.RemoveAll(c.dir) }

var collected = regexp.MustCompile(`Collected : (\d+)`)

// count returns the instructions of one test with these flags. The tool is known
// to stumble over signals, so there are few of them, and a second try.
func (c *counter) count(test string, flags ...string) float64 {
	args := append([]string{
		"GOGC=off", "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1", "valgrind", "--tool=callgrind",
		"--callgrind-out-file=" + filepath.Join(c.dir, "callgrind.out"),
		filepath.Join(c.dir, "jsonrpc.test"), "-test.run=^" + test + "$",
	}, flags...)
	for try := 1; ; try++ {
		out, err := exec.Command("env", args...).CombinedOutput()
		if m := collected.FindSubmatch(out); err == nil && m != nil {
			n, _ := strconv.ParseFloat(string(m[1]), 64)
			return n
		}
		if try == 3 {
			log.Fatalf("count %s %v: %v\n%s", test, flags, err, out)
		}
	}
}

// instructions is the target for the work on one request.
func instructions() bool {
	c := newCounter()
	if c == nil {
		return true
	}
	defer c.close()
	const few, many = 100, 10100
	each := func(test string, flags ...string) float64 {
		n := func(count int) float64 {
			return c.count(test, append(flags, fmt.Sprintf("-messages=%d", count))...)
		}
		return (n(many) - n(few)) / (many - few)
	}
	scan, forward := each("TestCountScan"), each("TestCountForward")
	note("scan of a progress notification (%d bytes): %.0f instructions", len(progress), each("TestCountScan", "-line="+progress))
	held := target(scan <= 5000, testProfile("-run", "^TestCountScan$", "-messages=5000000"), "T2 scan of a request (%d bytes): %.0f instructions, want 5000", len(request), scan)
	return target(forward <= 7500, testProfile("-run", "^TestCountForward$", "-messages=5000000"), "T2 read, scan, edit and write: %.0f instructions, want 7500", forward) && held
}

// shapes are kinds of hostile input.
var shapes = []string{
	"ints", "members", "escaped names", "escaped name", "characters", "depth", "bad lines", "blank lines",
	"members, byte by byte", "text", "open string", "brackets", "walk", "lines of data", "fields",
	"fields, byte by byte",
}

// pieced are those where text in one piece, up to 64 KiB, costs less than text in
// chunks, whatever its size. Only the latter is compared.
var pieced = []string{"walk", "lines of data"}

// hostile is the target that cost grows with size and no faster. Where a byte
// costs next to nothing, what is fixed hides in the noise: a ratio below the one
// of the sizes is fine.
func hostile() bool {
	c := newCounter()
	if c == nil {
		return true
	}
	defer c.close()
	const allowed = 1.05
	held := true
	for _, kind := range shapes {
		n := func(size, times int) float64 { // the least of some runs: start-up differs a little
			least := math.Inf(1)
			for range times {
				least = min(least, c.count("TestCountHostile", "-kind="+kind, fmt.Sprintf("-size=%d", size)))
			}
			return least
		}
		none, small, middle, big := n(0, 5), n(64<<10, 5), n(1<<20, 1), n(16<<20, 1)
		first, second := (middle-none)/(small-none)/16, (big-none)/(middle-none)/16
		perByte := (big - none) / (16 << 20)
		ok := second <= allowed && (first <= allowed || perByte < 3 || slices.Contains(pieced, kind))
		why := testProfile("-run", "^TestCountHostile$", "-kind="+kind, fmt.Sprintf("-size=%d", 64<<20))
		held = target(ok, why, "%-22s %7.1f instructions a byte; 64 KiB to 1 MiB %.2f, 1 to 16 MiB %.2f of the size ratio",
			kind, perByte, first, second) && held
	}
	return held
}
