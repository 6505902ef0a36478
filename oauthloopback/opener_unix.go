//go:build unix

package oauthloopback

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

func (o SystemOpener) open(ctx context.Context, url string) error {
	program := o.program()
	if program == "" {
		return notStarted()
	}
	cmd := exec.Command(program, url)      // not CommandContext: the browser is not ended with the sign-in
	cmd.Env = append([]string{}, o.Env...) // never nil, which would mean ours
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	// Stdin, Stdout and Stderr stay nil, the null device as a file: with a pipe, Wait
	// would last as long as any program that the browser has started.
	if cmd.Start() != nil {
		return notStarted()
	}
	exited := make(chan int, 1)
	go func() {
		cmd.Wait()
		exited <- cmd.ProcessState.ExitCode()
	}()
	select {
	case code := <-exited:
		if code != 0 {
			return &Error{Reason: ReasonBrowserFailed, ExitCode: code}
		}
	case <-time.After(o.ExitWait):
	case <-ctx.Done():
	}
	return nil
}

// program finds the program to start, by its whole path.
func (o SystemOpener) program() string {
	candidates := []string{o.Browser}
	for part := range strings.SplitSeq(o.Browser, ":") {
		if !strings.Contains(part, "%") {
			candidates = append(candidates, part)
		}
	}
	for _, name := range append(candidates, systemOpeners(o.Env)...) {
		// A relative path would depend on a directory that is nobody's choice.
		if path, err := exec.LookPath(name); err == nil && filepath.IsAbs(path) {
			return path
		}
	}
	return ""
}
