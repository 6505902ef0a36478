package main

import (
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience bounds waits for real processes; nothing takes that long.
const patience = 30 * time.Second

// gone waits until the process is no more whose id stands in a file: "gone FILE".
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone FILE")
	}
	pid, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	for end := time.Now().Add(patience); runs(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill()
			}
			ts.Fatalf("process %d is left", pid)
		}
	}
}
