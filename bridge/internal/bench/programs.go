package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strings"

	"github.com/trestle-mcp/trestle/bridge"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// build builds the bridge in dir and returns its name.
func build(dir string) string {
	out := filepath.Join(dir, "mcp-bridge-vscode")
	cmd := exec.Command("go", "build", "-o", out, "./cmd/mcp-bridge-vscode")
	cmd.Dir = "../../.."
	cmd.Env = append(cmd.Environ(), "GOWORK=")
	if text, err := cmd.CombinedOutput(); err != nil {
		log.Fatalf("build the bridge: %v\n%s", err, text)
	}
	return out
}

// remoteBridge returns the command of mcp-remote, or why there is none.
func remoteBridge(s *server) ([]string, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, errors.New("there is no Node")
	}
	program, err := filepath.Abs(filepath.Join("node_modules", "mcp-remote", "dist", "proxy.js"))
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(program); err != nil {
		return nil, errors.New("it is not installed: npm --prefix bridge/internal/bench ci")
	}
	return []string{node, program, s.url, "--allow-http", "--transport", "http-only", "--protocol", "auto"}, nil
}

// profileOf prints what takes time in the bridge while calls are made.
func profileOf(s *server, dir string) {
	self, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	for _, at := range []int{1, inFlight} {
		file := filepath.Join(dir, fmt.Sprintf("profile-%d", at))
		b := startBridge([]string{self, "-child", "bridge", "--", s.url, s.caFile, file})
		b.load(20000, at)
		b.stop()
		note("where the bridge spends its time, %d in flight:", at)
		top("-cum", file)
	}
}

// beProfiled is the bridge as the program runs it, and writes a profile of it to a file.
func beProfiled(url, caFile, file string) {
	var ca []byte
	var err error
	if caFile != "" {
		if ca, err = os.ReadFile(caFile); err != nil {
			log.Fatal(err)
		}
	}
	profile, err := os.Create(file)
	if err != nil {
		log.Fatal(err)
	}
	if err := pprof.StartCPUProfile(profile); err != nil {
		log.Fatal(err)
	}
	err = runBridge(url, ca, os.Stdin, os.Stdout)
	pprof.StopCPUProfile()
	if err != nil {
		log.Fatal(err)
	}
	if err := profile.Close(); err != nil {
		log.Fatal(err)
	}
}

// runBridge runs a session as the program does.
func runBridge(url string, ca []byte, in io.Reader, out io.Writer) error {
	return bridge.Run(context.Background(), bridge.Config{
		Front:    bridge.Stdio{In: in, Out: out},
		Upstream: bridge.Remote{URL: bridge.NewSecret(url), CA: ca},
		Profile:  mcpwire.VSCode,
		Log:      bridge.NewLog(io.Discard, 0),
	})
}

// top prints the head of a profile.
func top(args ...string) {
	out, err := exec.Command("go", append([]string{"tool", "pprof", "-top", "-nodecount=40"}, args...)...).Output()
	if err != nil {
		log.Fatalf("pprof: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		fmt.Printf("            | %s", line)
	}
}
