package run

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
)

// Play sends the lines of an editor through the bridge to a server, one after the
// other: behind a line with an id it waits for a response. It judges both wires, which
// it records in s.Record. Of s it uses Bridge, Record and Err.
func (k *Kit) Play(ctx context.Context, s Session, server []string, lines []string) (*Report, error) {
	record, err := filepath.Abs(s.Record)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	command := append([]string{filepath.Join(record, "front.jsonl")}, s.Bridge...)
	command = append(command, "--", k.tap, filepath.Join(record, "upstream.jsonl"))
	cmd := exec.CommandContext(ctx, k.tap, append(command, server...)...)
	cmd.Stderr = orDiscard(s.Err)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("play: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("play: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("play: %w", err)
	}
	err = send(in, bufio.NewReader(out), lines)
	if waitErr := cmd.Wait(); err == nil {
		err = waitErr
	}
	if err != nil {
		return nil, fmt.Errorf("play: %w", err)
	}
	r := new(Report)
	return r, k.judge(s, r)
}

// send sends lines, then ends the input and reads the output to its end.
func send(in io.WriteCloser, out *bufio.Reader, lines []string) error {
	for _, line := range lines {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			return fmt.Errorf("send %s: %w", line, err)
		}
		for asks := bytes.Contains([]byte(line), []byte(`"id"`)); asks; {
			answer, err := out.ReadBytes('\n')
			if err != nil {
				return fmt.Errorf("wait for the answer to %s: %w", line, err)
			}
			var f struct{ Method *string }
			asks = json.Unmarshal(answer, &f) == nil && f.Method != nil
		}
	}
	if err := in.Close(); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, out)
	return err
}
