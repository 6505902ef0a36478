package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// editor plays the client of a bridge: "editor FILE COMMAND…". It sends the lines
// of FILE, but
//
//	<         waits for one more line of the bridge
//	!TERM     sends a signal: TERM, INT or HUP
//	|         closes the output of the bridge
//	?FILE     waits until FILE is there and has a whole line
//	...       keeps the input open until the bridge has ended
//
// and at the end of FILE it closes the input. It prints the lines that the bridge
// wrote, and last its exit code.
func editor() {
	if err := play(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "editor:", err)
		os.Exit(1)
	}
}

func play(file string, command []string) error {
	script, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	received := bufio.NewReader(out)
	closeOutput := func() { _ = out.Close() }
	if err := send(string(script), in, received, cmd.Process, closeOutput); err != nil {
		return err
	}
	if _, err := io.Copy(os.Stdout, received); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	_ = cmd.Wait() // the exit code says it
	fmt.Println("exit", cmd.ProcessState.ExitCode())
	return nil
}

// send carries out the lines of script.
func send(script string, in io.WriteCloser, received *bufio.Reader, bridge *os.Process, closeOutput func()) error {
	for line := range strings.Lines(script) {
		switch command := strings.TrimSpace(line); {
		case command == "<":
			answer, err := received.ReadString('\n')
			fmt.Print(answer)
			if err != nil {
				return nil // the bridge has ended
			}
		case command == "...":
			return nil
		case command == "|":
			closeOutput()
		case strings.HasPrefix(command, "?"):
			for !hasLine(command[1:]) {
				time.Sleep(time.Millisecond)
			}
		case strings.HasPrefix(command, "!"):
			if err := bridge.Signal(signals[command[1:]]); err != nil {
				return err
			}
		default:
			if _, err := io.WriteString(in, line); err != nil {
				return nil // the bridge does not read any more
			}
		}
	}
	return in.Close()
}

func hasLine(file string) bool {
	text, err := os.ReadFile(file)
	return err == nil && strings.HasSuffix(string(text), "\n")
}

var signals = map[string]os.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "HUP": syscall.SIGHUP}
