// Package tap stands between a client and a server, and records what passes: the lines
// of a command that it runs, or the messages of a server at a URL.
package tap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// Streams are the ends toward the client. Out is closed when the command closes
// its output.
type Streams struct {
	In  io.Reader
	Out io.WriteCloser
	Err io.Writer
}

// Run starts the command, passes on what comes from both sides unchanged, and
// returns the exit code of the command: 128 and the number of the signal, if one
// ended it. The end of the input is passed on, and so is each signal.
//
// The goroutine that reads s.In ends with s.In, maybe after Run has returned: a
// read from a standard stream cannot be taken back.
func Run(name string, args []string, s Streams, rec *wire.Writer, signals <-chan os.Signal) (int, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = s.Err
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, fmt.Errorf("tap: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, fmt.Errorf("tap: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("tap: %w", err)
	}

	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case sig := <-signals:
				cmd.Process.Signal(sig) // an error says that the command is gone
			case <-done:
				return
			}
		}
	})
	go pump(in, s.In, rec, wire.ToServer)
	failed := pump(s.Out, out, rec, wire.ToClient) // before Wait, which closes out
	err = cmd.Wait()
	close(done)
	wg.Wait()
	if failed != nil {
		return 0, failed
	}
	return exitCode(err)
}

// pump copies src to dst to its end and closes dst. Each line is recorded before
// its last byte is passed on, so an answer never stands before its request. The
// error is one of the record: a receiver that is gone is no error, and src is
// read on, so that its writer does not block.
func pump(dst io.WriteCloser, src io.Reader, rec *wire.Writer, dir wire.Dir) error {
	defer dst.Close()
	var line []byte
	buf := make([]byte, 64<<10)
	for {
		n, err := src.Read(buf)
		line = append(line, buf[:n]...)
		for {
			i := bytes.IndexByte(line, '\n')
			if i < 0 {
				break
			}
			if err := rec.Line(dir, line[:i], false); err != nil {
				return err
			}
			line = line[i+1:]
		}
		dst.Write(buf[:n])
		if err == nil {
			continue
		}
		if len(line) > 0 {
			if err := rec.Line(dir, line, true); err != nil {
				return err
			}
		}
		return rec.End(dir)
	}
}

func exitCode(err error) (int, error) {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return 0, err
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return exit.ExitCode(), nil
}
