package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/valyala/fastjson"
)

var options = &jsonrpc.ReaderOptions{Members: []string{"_meta", "name", "arguments", "cursor", "uri"}}

// allocations is the target for read, scan, edit and write of a small message.
func allocations() bool {
	r := jsonrpc.NewReader(newAgain(request+"\n"), options)
	w := jsonrpc.NewWriter(io.Discard)
	id, meta := []byte("7"), []byte(`"x":1,`)
	edits := make([]jsonrpc.Edit, 0, 2)
	one := func() {
		m, err := r.Read()
		if err != nil {
			log.Fatal(err)
		}
		edits = append(edits[:0],
			jsonrpc.Edit{Off: m.ID.Off, Cut: m.ID.Len(), Insert: id},
			jsonrpc.Edit{Off: m.Member(0).Value.Off + 1, Insert: meta})
		if err := w.Write(m, edits); err != nil {
			log.Fatal(err)
		}
	}
	n := testing.AllocsPerRun(10000, one)
	why := allocProfile(func() {
		for range 10000 {
			one()
		}
	})
	return target(n == 0, why, "T1 read, scan, edit and write of a request: %v allocations, want 0", n)
}

// speed compares the scan with other parsers and with the speed of memory.
func speed() bool {
	held := true
	for _, l := range lines() {
		runs := runsOf(l.text)
		ours, fast, text := compare(runs)
		limit := 0.9
		ok := text <= 0 || ours/text <= 0.7
		if len(l.text) < 1000 {
			ok = ok && ours/fast <= limit
		}
		held = target(ok, cpuProfile(func() { perRun(runs[0]) }), "T3 %-10s %10s; %.2f of fastjson %s, %.2f of jsontext %s",
			l.name, short(ours), ours/fast, short(fast), ours/text, short(text)) && held
	}
	return scans() && held
}

func short(ns float64) string {
	return time.Duration(ns).Round(time.Duration(max(1, int(ns/1000)))).String()
}

// runsOf returns how ours, fastjson and jsontext parse a line: a small one as each
// finds it in a stream of such lines (for fastjson, which has no framing, bufio finds
// it), a longer one in memory.
func runsOf(text []byte) [3]func() error {
	if len(text) < 1000 {
		return streamed(text)
	}
	return held(text)
}

// compare returns the times of parsing a line. They run in turns, many times, each
// time for less than a scheduler lets others wait, and the least time of each counts:
// whatever else the machine does only adds to a time.
func compare(runs [3]func() error) (ours, fast, tokens float64) {
	const rounds = 1000
	var least [len(runs)]float64
	for i := range least {
		least[i] = math.Inf(1)
	}
	for range rounds {
		for i, run := range runs {
			least[i] = min(least[i], perRun(run))
		}
	}
	return least[0], least[1], least[2]
}

func streamed(text []byte) [3]func() error {
	lines := func() *again { return newAgain(string(text) + "\n") }
	r := jsonrpc.NewReader(lines(), options)
	var p fastjson.Parser
	in := bufio.NewReaderSize(lines(), 64<<10)
	d := jsontext.NewDecoder(lines(), jsontext.AllowDuplicateNames(true))
	return [3]func() error{
		func() error { _, err := r.Read(); return err },
		func() error {
			line, err := in.ReadSlice('\n')
			if err == nil {
				_, err = p.ParseBytes(line)
			}
			return err
		},
		func() error { return d.SkipValue() },
	}
}

func held(text []byte) [3]func() error {
	var p fastjson.Parser
	src := bytes.NewReader(text)
	d := jsontext.NewDecoder(src, jsontext.AllowDuplicateNames(true))
	return [3]func() error{
		func() error { _, err := jsonrpc.Parse(text, options); return err },
		func() error { _, err := p.ParseBytes(text); return err },
		func() error {
			src.Reset(text)
			d.Reset(src, jsontext.AllowDuplicateNames(true))
			return d.SkipValue()
		},
	}
}

// perRun returns the nanoseconds that f takes. It runs for a quarter of a
// millisecond, or once.
func perRun(f func() error) float64 {
	n := 0
	start := time.Now()
	for took := time.Duration(0); ; {
		for range 1 + n/8 {
			if err := f(); err != nil {
				log.Fatal(err)
			}
			n++
		}
		if took = time.Since(start); took >= 250*time.Microsecond {
			return float64(took.Nanoseconds()) / float64(n)
		}
	}
}

var benchLine = regexp.MustCompile(`(?m)^Benchmark(\S+?)-?\d*\s+\d+\s+.*?([0-9.]+) MB/s`)

// scans runs the benchmarks of the scan alone, many times for a short time, of which
// the best counts.
func scans() bool {
	out, err := goTool("test", "-run", "^$", "-bench", "^Benchmark(Scan|IndexByte)$", "-benchtime", "20ms", "-count", "40", ".")
	if err != nil {
		log.Fatal(err)
	}
	best := map[string]float64{}
	for _, m := range benchLine.FindAllSubmatch(out, -1) {
		mb, _ := strconv.ParseFloat(string(m[2]), 64)
		best[string(m[1])] = max(best[string(m[1])], mb/1000)
	}
	base, index := best["Scan/base64"], best["IndexByte"]
	of := func(name string) profile { return testProfile("-run", "^$", "-bench", "^BenchmarkScan$/^"+name+"$") }
	held := target(base >= 8 || base >= index/10, of("base64"), "T4 base64  %.1f GB/s, want 8 or 0.1 of IndexByte (%.0f GB/s)", base, index)
	held = target(best["Scan/log"] >= 2, of("log"), "T4 escapes %.1f GB/s, want 2", best["Scan/log"]) && held
	return target(best["Scan/mixed"] >= 2, of("mixed"), "T4 mixed   %.1f GB/s, want 2", best["Scan/mixed"]) && held
}

// goTool runs the go command in the directory of package jsonrpc.
func goTool(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("go %v: %w\n%s%s", args, err, out, exit.Stderr)
	}
	return out, err
}
