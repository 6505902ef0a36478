// Package run runs a client and a server that nobody here wrote with a bridge
// between them, records both wires, and judges each frame by the official
// schemas.
package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// ErrUsage says that there is no such plan, client or step.
var ErrUsage = errors.New("peers: wrong use")

// The clients of a [Session].
const (
	ClientV1       = "v1"        // session-v1.mjs: revision 2025-11-25, step by step
	ClientV2Legacy = "v2-legacy" // client-v2.mjs that opens with initialize
	ClientV2Auto   = "v2-auto"   // client-v2.mjs that asks with server/discover first
)

// A Session is one run of a client with a server.
type Session struct {
	// Plan names the server: ts2026, a server of 2026-07-28 alone on the
	// TypeScript SDK, or go, the everything server of the Go SDK.
	Plan string

	// Client is one of the constants above. If empty, it is ClientV1.
	Client string

	// Steps are the steps of ClientV1, with commas between. If empty, all run.
	Steps string

	// Bridge is the command of the bridge, to which "--" and the command of the
	// server are added. If it is empty, the client talks to the server itself, on
	// what is then called the front wire, and no frame is the bridge's.
	Bridge []string

	// Shim lets the server serve the older revision by what its SDK has for that. It
	// is for a session without a bridge.
	Shim bool

	// Record is the directory in which front.jsonl and upstream.jsonl are written.
	Record string

	Out, Err io.Writer // of the client; what the bridge and the server log goes to Err
}

// A Step is a line that the client printed.
type Step struct {
	Name    string
	Outcome string // ok, FAIL or skip
	Detail  string
}

// A Report is what came of a [Session].
type Report struct {
	Steps    []Step
	ExitCode int // of the client: 0 if no step failed

	// Frames counts the frames of both wires, those of the bridge among them.
	Frames, BridgeFrames int

	// Faults are about frames of the bridge, or such that it owes. Listed are the
	// invalid frames of the peers.
	Faults, Listed []Finding
}

// OK reports whether each step went well or was skipped, and the bridge wrote
// nothing invalid.
func (r *Report) OK() bool { return r.ExitCode == 0 && len(r.Faults) == 0 }

// Run carries out a session. The error says that it could not be carried out; a
// session that went wrong is in the report.
func (k *Kit) Run(ctx context.Context, s Session) (*Report, error) {
	command, err := k.command(s)
	if err != nil {
		return nil, err
	}
	var lines bytes.Buffer
	cmd := exec.CommandContext(ctx, k.node, command...)
	cmd.Dir = k.dir
	cmd.Stdout = io.MultiWriter(&lines, orDiscard(s.Out))
	cmd.Stderr = orDiscard(s.Err)
	cmd.WaitDelay = 10 * time.Second // what the client started may hold its output
	err = cmd.Run()
	exit, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("run %s: %w", s.Plan, context.Cause(ctx))
	case failed && exit.ExitCode() == 2:
		return nil, fmt.Errorf("%w: no such steps", ErrUsage) // the client has said which
	case err != nil && !failed:
		return nil, fmt.Errorf("run %s: %w", s.Plan, err)
	}
	r := &Report{Steps: steps(lines.String()), ExitCode: cmd.ProcessState.ExitCode()}
	if err := k.judge(s, r); err != nil {
		return nil, err
	}
	return r, nil
}

// command returns the arguments of node: the client, and after "--" what it
// starts, with a tap on each wire.
func (k *Kit) command(s Session) ([]string, error) {
	front, err := filepath.Abs(filepath.Join(s.Record, "front.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	var server []string
	switch s.Plan {
	case "ts2026":
		server = []string{k.node, filepath.Join(k.dir, "server-2026.mjs")}
		if s.Shim {
			server = append(server, "--dual")
		}
	case "go":
		server = []string{k.goServer}
	default:
		return nil, fmt.Errorf("%w: no plan %q", ErrUsage, s.Plan)
	}
	args, err := client(s)
	if err != nil {
		return nil, err
	}
	args = append(args, "--plan", s.Plan, "--", k.tap, front)
	if len(s.Bridge) > 0 {
		args = append(args, s.Bridge...)
		args = append(args, "--", k.tap, filepath.Join(filepath.Dir(front), "upstream.jsonl"))
	}
	return append(args, server...), nil
}

func client(s Session) ([]string, error) {
	switch s.Client {
	case "", ClientV1:
		if s.Steps == "" {
			return []string{"session-v1.mjs"}, nil
		}
		return []string{"session-v1.mjs", "--steps", s.Steps}, nil
	case ClientV2Legacy:
		return []string{"client-v2.mjs", "--mode", "legacy"}, nil
	case ClientV2Auto:
		return []string{"client-v2.mjs", "--mode", "auto"}, nil
	}
	return nil, fmt.Errorf("%w: no client %q", ErrUsage, s.Client)
}

var stepLine = regexp.MustCompile(`^(ok|FAIL|skip) +(\S+) +\d+ ms *(.*)$`)

func steps(out string) []Step {
	var all []Step
	for line := range strings.Lines(out) {
		if m := stepLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			all = append(all, Step{Outcome: m[1], Name: m[2], Detail: m[3]})
		}
	}
	return all
}

func orDiscard(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return w
}
