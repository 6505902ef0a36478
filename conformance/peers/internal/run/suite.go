package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A Check is one of a scenario of the official suite.
type Check struct {
	ID           string
	Status       string // SUCCESS, FAILURE, WARNING, SKIPPED or INFO
	ErrorMessage string
}

// A Scenario is one that the official suite has run.
type Scenario struct {
	Checks []Check
	Log    string // what the client wrote to its standard error
}

// Passed counts the checks of s that have passed.
func (s Scenario) Passed() int {
	return s.count(func(c Check) bool { return c.Status == "SUCCESS" })
}

// Requests counts the requests to the authorization servers of s. One that the suite
// misses is a check that failed, and no request.
func (s Scenario) Requests() int {
	return s.count(func(c Check) bool { return c.ID == "incoming-auth-request" })
}

func (s Scenario) count(counts func(Check) bool) int {
	n := 0
	for _, c := range s.Checks {
		if counts(c) {
			n++
		}
	}
	return n
}

// Required returns the names of the scenarios for clients that the official suite
// requires of a revision.
func (k *Kit) Required(ctx context.Context, revision string) ([]string, error) {
	cmd := k.suite(ctx, "list", "--client", "--requirements", revision)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the scenarios of the suite: %w", err)
	}
	_, text, _ := strings.Cut(string(out), "Client scenarios")
	text, _, _ = strings.Cut(text, "\n\n")
	var names []string
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			names = append(names, name)
		}
	}
	return names, nil
}

// Suite runs all scenarios for clients that the official suite has for a revision, at
// the same time, and returns them by name. Clean says that the suite is content: each
// scenario that it requires has passed. The client is a command, to which the suite adds
// a URL; no part of it may have a space. The error says that the suite could not be run.
func (k *Kit) Suite(ctx context.Context, revision string, client []string) (all map[string]Scenario, clean bool, err error) {
	dir, err := os.MkdirTemp("", "suite-")
	if err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(dir)
	command := strings.Join(client, " ")
	if len(strings.Split(command, " ")) != len(client) {
		return nil, false, fmt.Errorf("%w: the suite takes no space in %q", ErrUsage, client)
	}
	cmd := k.suite(ctx, "client", "--command", command, "--requirements", revision, "--output-dir", dir)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = 10 * time.Second
	ran := cmd.Run()
	if _, failed := errors.AsType[*exec.ExitError](ran); ran != nil && !failed {
		return nil, false, fmt.Errorf("run the suite: %w", ran)
	}
	all, err = scenarios(dir)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("run the suite: no scenario was run\n%s", said.Bytes())
	}
	return all, ran == nil, err
}

func (k *Kit) suite(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, k.node, append([]string{suiteProgram}, args...)...)
	cmd.Dir = k.dir
	return cmd
}

var suiteProgram = filepath.Join("node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")

// ofRun is what the suite adds to the name of a scenario.
var ofRun = regexp.MustCompile(`-\d{4}-\d\d-\d\dT[-\d]+Z$`)

// scenarios reads what the suite has left in a directory.
func scenarios(dir string) (map[string]Scenario, error) {
	all := map[string]Scenario{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "checks.json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var s Scenario
		if err := json.Unmarshal(text, &s.Checks); err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		of := filepath.Dir(path)
		log, err := os.ReadFile(filepath.Join(of, "stderr.txt"))
		if err != nil {
			return err
		}
		s.Log = string(log)
		name, err := filepath.Rel(dir, of)
		if err != nil {
			return err
		}
		all[ofRun.ReplaceAllString(filepath.ToSlash(name), "")] = s
		return nil
	})
	return all, err
}
