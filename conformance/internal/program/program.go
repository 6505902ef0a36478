// Package program starts programs that say in one line where they are, and run until their
// input ends.
package program

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
)

// A Program is one that runs.
type Program struct {
	In  io.WriteCloser
	Out *bufio.Reader // behind the first line

	cmd *exec.Cmd
}

// Start starts cmd and decodes the first line that it writes, which is JSON, into said.
func Start(cmd *exec.Cmd, said any) (*Program, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &Program{in, bufio.NewReader(out), cmd}
	line, err := p.Out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, said)
	}
	if err != nil {
		p.Stop()
		return nil, fmt.Errorf("%w, in %q", err, line)
	}
	return p, nil
}

// Stop ends the input and returns when the program has ended.
func (p *Program) Stop() {
	p.In.Close()
	io.Copy(io.Discard, p.Out)
	p.cmd.Wait()
}
