package main

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/trestle-mcp/trestle/checks/internal/workspace"
)

type outcome uint8

// In ascending order of what a later run of the same test can do to the outcome of an earlier one.
const (
	skipped outcome = iota + 1
	passed
	failed
)

var outcomes = map[string]outcome{"skip": skipped, "pass": passed, "fail": failed}

// A tally holds the outcome of each test, by package and name, and of each package, with what was
// printed until then where that was a failure.
type tally struct {
	tests    map[string]outcome
	packages map[string]outcome
	printed  map[string]string
	failures []string
}

func newTally() *tally {
	return &tally{tests: map[string]outcome{}, packages: map[string]outcome{}, printed: map[string]string{}}
}

// read adds one output of go test -json. A build that failed is an event of its import path.
func (t *tally) read(r io.Reader) error {
	for dec := json.NewDecoder(r); ; {
		var e event
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		t.add(e)
	}
}

// An event is one line of the output. A build is named by ImportPath, all else by Package.
type event struct{ Action, Package, Test, ImportPath, Output string }

func (t *tally) add(e event) {
	pkg, _, _ := strings.Cut(e.Package+e.ImportPath, " ") // a build of a test adds the test's name
	name := strings.TrimPrefix(pkg, workspace.Prefix)
	into := t.packages
	if e.Test != "" {
		name, into = name+" "+e.Test, t.tests
	}
	switch e.Action {
	case "output", "build-output":
		t.printed[name] += e.Output
		return
	case "build-fail":
		e.Action = "fail"
	}
	if o := outcomes[e.Action]; o != 0 {
		into[name] = max(into[name], o)
		if o == failed {
			t.failures = append(t.failures, t.unfinished(name, e.Test)+t.printed[name])
		}
		delete(t.printed, name)
	}
}

// unfinished takes what the tests of a package have printed that never ended: it died in one of them.
func (t *tally) unfinished(pkg, test string) string {
	if test != "" {
		return ""
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(t.printed)) {
		if strings.HasPrefix(name, pkg+" ") {
			text.WriteString(t.printed[name])
			delete(t.printed, name)
		}
	}
	return text.String()
}

// named are the tests with that outcome, in order.
func (t *tally) named(o outcome) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(t.tests)) {
		if t.tests[name] == o {
			out = append(out, name)
		}
	}
	return out
}

// broken are the packages that failed although none of their tests did: they did not build, or
// ended early.
func (t *tally) broken() []string {
	var out []string
	for _, pkg := range slices.Sorted(maps.Keys(t.packages)) {
		blamed := slices.ContainsFunc(t.named(failed), func(name string) bool { return strings.HasPrefix(name, pkg+" ") })
		if t.packages[pkg] == failed && !blamed {
			out = append(out, pkg)
		}
	}
	return out
}
