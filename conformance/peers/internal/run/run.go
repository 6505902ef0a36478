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
	ClientV2Auto   = "v2-auto"   // client-v2.mjs that asks with server/discover first, and is refused
	ClientV2Modern = "v2-modern" // the same, which is answered: revision 2026-07-28
)

// How the bridge of a [Session] reaches the server.
const (
	OverStdio = "stdio" // it starts the command of the server
	OverHTTP  = "http"  // at a URL, over HTTP/1.1
	OverHTTPS = "https" // at a URL, over TLS by a private authority, where both sides have HTTP/2
)

// A Session is one run of a client with a server.
type Session struct {
	// Plan names the server: ts2026, a server of 2026-07-28 alone on the
	// TypeScript SDK, or go, the everything server of the Go SDK. Those of everything,
	// filesystem and memory are older, and packages of their own; they serve stdio.
	Plan string

	// Client is one of the constants above. If empty, it is ClientV1.
	Client string

	// Steps are the steps of ClientV1, with commas between. If empty, all run.
	Steps string

	// Over is one of the constants above. If empty, it is OverStdio.
	Over string

	// Bridge is the command of the bridge, to which "--" and the command of the
	// server are added, or its URL; in front of that stands --token-store memory, and of
	// one with https --ca-file and the name of a file. If Bridge is empty, the client talks to the server itself, on
	// what is then called the front wire, and no frame is the bridge's.
	Bridge []string

	// Shim lets the server serve the older revision by what its SDK has for that. It
	// is for a session without a bridge.
	Shim bool

	// Older makes the server of the plan go, at a URL, one of 2025-11-25 alone, with
	// sessions.
	Older bool

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

	// Protocols are the versions of HTTP that the bridge spoke, such as HTTP/2.0.
	Protocols []string

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
	if s.Over == "" || s.Over == OverStdio {
		r, err := k.runWith(ctx, s, nil)
		if err != nil {
			return nil, err
		}
		return r, k.judge(s, r)
	}
	if len(s.Bridge) == 0 || s.Over != OverHTTP && s.Over != OverHTTPS {
		return nil, fmt.Errorf("%w: over %q, with the bridge %q", ErrUsage, s.Over, s.Bridge)
	}
	st, err := k.open(ctx, s)
	if err != nil {
		return nil, err
	}
	r, err := k.runWith(ctx, s, st)
	st.close()
	if err != nil {
		return nil, err
	}
	if r.Protocols, err = st.protocols(); err != nil {
		return nil, err
	}
	return r, k.judge(s, r)
}

// runWith carries out a session with a server that is at a site, or is started for it.
func (k *Kit) runWith(ctx context.Context, s Session, at *site) (*Report, error) {
	command, err := k.command(s, at)
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
	return &Report{Steps: steps(lines.String()), ExitCode: cmd.ProcessState.ExitCode()}, nil
}

// command returns the arguments of node: the client, and after "--" what it starts,
// with a tap on each wire that is not HTTP.
func (k *Kit) command(s Session, at *site) ([]string, error) {
	front, err := filepath.Abs(filepath.Join(s.Record, Front.Name+".jsonl"))
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	server, err := k.server(s)
	if err != nil {
		return nil, err
	}
	args, err := client(s)
	if err != nil {
		return nil, err
	}
	args = append(args, "--plan", s.Plan, "--", k.tap, front)
	args = append(args, s.Bridge...)
	if at != nil && len(s.Bridge) > 0 {
		args = append(args, "--token-store", "memory") // nothing of a test is kept, or looked for where a person keeps it
	}
	if at != nil {
		return append(args, at.options...), nil
	}
	if len(s.Bridge) > 0 {
		args = append(args, "--", k.tap, filepath.Join(filepath.Dir(front), Upstream.Name+".jsonl"))
	}
	return append(args, server...), nil
}

// server returns the command of the server of a plan.
func (k *Kit) server(s Session) ([]string, error) {
	switch s.Plan {
	case "ts2026":
		command := []string{k.node, filepath.Join(k.dir, "server-2026.mjs")}
		if s.Shim {
			command = append(command, "--dual")
		}
		return command, nil
	case "everything":
		return []string{k.node, k.packaged("everything"), "stdio"}, nil
	case "filesystem":
		return []string{k.node, k.packaged("filesystem"), k.dir}, nil
	case "memory":
		return []string{k.node, k.packaged("memory")}, nil
	case "go":
		return []string{k.goServer}, nil
	}
	return nil, fmt.Errorf("%w: no plan %q", ErrUsage, s.Plan)
}

// packaged returns the program of a server that is a package of its own.
func (k *Kit) packaged(name string) string {
	return filepath.Join(k.dir, "node_modules", "@modelcontextprotocol", "server-"+name, "dist", "index.js")
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
	case ClientV2Modern:
		return []string{"client-v2.mjs", "--mode", "auto", "--want", UpstreamRevision}, nil
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
