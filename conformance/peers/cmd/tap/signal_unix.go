//go:build unix

package main

import (
	"os"
	"syscall"
)

// passedOn are the signals with which a process is asked to stop.
var passedOn = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
