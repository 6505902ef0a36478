package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/cmd/internal/demo"
)

// demoServer is a server whose name is that of a subcommand.
func demoServer() {
	if err := demo.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// fixture is a server that does what its first argument says.
func fixture() {
	switch os.Args[1] {
	case "exit": // CODE: at once
		os.Exit(number(os.Args[2]))
	case "exit-on-call": // CODE: when a tool is called
		serveUntil("tools/call")
		os.Exit(number(os.Args[2]))
	case "exit-on-discover": // CODE: when the session is opened
		serveUntil("server/discover")
		os.Exit(number(os.Args[2]))
	case "answer": // MEMBERS: answers every request with a message of these members
		answer(os.Args[2])
		return
	case "older": // is a server of an older revision
		older()
		return
	case "silent": // answers nothing, and ends with its input
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	case "close-output": // when the session is opened, and ends with its input
		serveUntil("server/discover")
		_ = os.Stdout.Close()
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	case "banner": // LINES: writes as many to stdout first, as launchers do
		fmt.Print(strings.Repeat("a banner and no message\n", number(os.Args[2])))
	case "deaf-tree": // FILE: writes down the process it starts, and is deaf as that is
		child := exec.Command(os.Args[0], "deaf")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		save(os.Args[2], []string{strconv.Itoa(child.Process.Pid)})
		time.Sleep(time.Minute)
		os.Exit(1)
	case "deaf": // reads nothing and ends when it is made to
		time.Sleep(time.Minute)
		os.Exit(1)
	case "serve": // serves, whatever the other arguments are
	case "noisy": // writes to stderr first
		fmt.Fprintln(os.Stderr, "warming up\x1b[31m")
	case "env": // FILE: writes down its environment
		save(os.Args[2], os.Environ())
	case "args": // FILE …: writes down its arguments
		save(os.Args[2], os.Args[3:])
	}
	demoServer()
}

// serveUntil serves until a request for method has been read, which gets no answer.
func serveUntil(method string) {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil || strings.Contains(line, `"`+method+`"`) {
			return
		}
		if err := demo.Serve(strings.NewReader(line), os.Stdout); err != nil {
			return
		}
	}
}

// answer answers every request.
func answer(members string) {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var request struct{ ID json.RawMessage }
		if err := json.Unmarshal(in.Bytes(), &request); err == nil && request.ID != nil {
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", request.ID, members)
		}
	}
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func save(file string, lines []string) {
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		panic(err)
	}
}
