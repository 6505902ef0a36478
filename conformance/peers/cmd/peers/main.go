// The program peers runs a bridge between a client and a server that nobody here
// wrote, and judges both wires.
//
//	peers --plan PLAN [--over O] [--client C] [--steps a,b,…] [--record DIR] -- BRIDGE [ARG…]
//
// BRIDGE gets "--" and the command of the server as its last arguments, or its URL.
// Without a BRIDGE the client talks to the server itself. The exit code is 0 if no step
// failed and every frame that the bridge wrote is valid, 1 if not, and 2 for wrong
// use.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/trestle-mcp/trestle/conformance/internal/gobuild"
	"github.com/trestle-mcp/trestle/conformance/peers/internal/run"
)

var errFailed = errors.New("peers: failed")

func main() {
	s := run.Session{Out: os.Stdout, Err: os.Stderr}
	flag.StringVar(&s.Plan, "plan", "", "the server: ts2026, go, everything, filesystem or memory")
	flag.StringVar(&s.Over, "over", run.OverStdio, "how the bridge reaches the server: stdio, http or https")
	flag.StringVar(&s.Client, "client", run.ClientV1, "the client: v1, v2-legacy, v2-auto or v2-modern")
	flag.StringVar(&s.Steps, "steps", "", "the steps of client v1, with commas between; all if empty")
	flag.StringVar(&s.Record, "record", "", "the directory for the two wires; none is kept if empty")
	flag.Parse()
	s.Bridge = flag.Args()
	if s.Plan == "" {
		flag.Usage()
		os.Exit(2)
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := session(ctx, s)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	switch {
	case errors.Is(err, run.ErrUsage):
		os.Exit(2)
	case err != nil:
		os.Exit(1)
	}
}

func session(ctx context.Context, s run.Session) error {
	work, err := os.MkdirTemp("", "peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := prepare(&s, work); err != nil {
		return err
	}
	repo, err := gobuild.Current(ctx)
	if err != nil {
		return err
	}
	kit, err := run.Prepare(ctx, repo, work)
	if err != nil {
		return err
	}
	r, err := kit.Run(ctx, s)
	if err != nil {
		return err
	}
	for _, f := range r.Listed {
		fmt.Println("peer ", f)
	}
	for _, f := range r.Faults {
		fmt.Println("FAIL ", f)
	}
	for _, p := range r.Protocols {
		fmt.Println("spoken:", p)
	}
	fmt.Printf("%d frames, %d of them written by the bridge; %d faults of the bridge\n", r.Frames, r.BridgeFrames, len(r.Faults))
	if !r.OK() {
		return errFailed
	}
	return nil
}

// prepare makes the directory of the record, and the name of the bridge one that
// does not depend on the directory: the client starts it from its own.
func prepare(s *run.Session, work string) error {
	if s.Record == "" {
		s.Record = filepath.Join(work, "record")
	}
	if err := os.MkdirAll(s.Record, 0o700); err != nil {
		return err
	}
	for _, name := range []string{"front.jsonl", "upstream.jsonl"} {
		if err := os.Remove(filepath.Join(s.Record, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if len(s.Bridge) == 0 {
		return nil
	}
	path, err := exec.LookPath(s.Bridge[0])
	if err != nil {
		return err
	}
	s.Bridge[0], err = filepath.Abs(path)
	return err
}
