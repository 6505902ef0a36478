// Command ran reads the output of go test -json, says how many tests passed, failed and were skipped,
// and compares the names of those that passed with a committed list.
//
//	ran [-expect FILE [-update]] OUTPUT…
//
// A test that ran several times counts once: as failed if it ever failed, else as passed if it ever
// passed. It exits with 1 if a test or a package failed, or a name of the list did not pass.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	expect := flag.String("expect", "", "file with the names of the tests that must pass, one a line")
	update := flag.Bool("update", false, "write that file from the tests that passed")
	flag.Parse()
	ok, err := run(os.Stdout, *expect, *update, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "ran:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(out io.Writer, expect string, update bool, outputs []string) (bool, error) {
	t := newTally()
	for _, name := range outputs {
		if err := readFile(t, name); err != nil {
			return false, err
		}
	}
	for _, text := range t.failures {
		fmt.Fprint(out, text)
	}
	missing, err := compare(out, t, expect, update)
	if err != nil {
		return false, err
	}
	for _, name := range t.named(failed) {
		fmt.Fprintln(out, "failed:", name)
	}
	for _, name := range t.broken() {
		fmt.Fprintln(out, "failed: package", name)
	}
	bad := len(t.named(failed)) + len(t.broken()) + missing
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", len(t.named(passed)), bad, len(t.named(skipped)))
	return bad == 0, nil
}

func readFile(t *tally, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := t.read(f); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// compare prints what the list and the run do not share. Only a name that did not pass counts; a
// name that the list lacks is a reminder to update it.
func compare(out io.Writer, t *tally, expect string, update bool) (int, error) {
	if expect == "" {
		return 0, nil
	}
	got := slices.DeleteFunc(t.named(passed), unlisted)
	if update {
		return 0, os.WriteFile(expect, []byte(strings.Join(got, "\n")+"\n"), 0o666)
	}
	data, err := os.ReadFile(expect)
	if err != nil {
		return 0, err
	}
	want := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n")), "\n")
	missing := 0
	for _, name := range want {
		if t.tests[name] != passed {
			fmt.Fprintln(out, "expected, but did not pass:", name)
			missing++
		}
	}
	for _, name := range got {
		if _, found := slices.BinarySearch(want, name); !found {
			fmt.Fprintln(out, "not in the list:", name)
		}
	}
	return missing, nil
}

// unlisted names are made by the testing package, as for seeds of fuzz targets and repeated
// subtests, or are those of stages that not every machine can run.
func unlisted(name string) bool {
	return strings.Contains(name, "#") || strings.Contains(name, " Fuzz") && strings.Contains(name, "/") ||
		strings.HasPrefix(name, "ci optional_")
}
