package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A bare caller POSTs what the bridge would.
type bare struct {
	url    string
	client *http.Client
}

func newBare(s *server) caller {
	return &bare{s.url, &http.Client{Transport: &http.Transport{
		TLSClientConfig: s.trust(), ForceAttemptHTTP2: true, DisableCompression: true, MaxIdleConnsPerHost: inFlight,
	}}}
}

func (b *bare) stop() { b.client.CloseIdleConnections() }

func (b *bare) load(calls, inFlight int) ([]time.Duration, time.Duration) {
	each := make([]time.Duration, calls)
	next := make(chan int)
	var running sync.WaitGroup
	start := time.Now()
	for range inFlight {
		running.Go(func() {
			for i := range next {
				begun := time.Now()
				b.call(i)
				each[i] = time.Since(begun)
			}
		})
	}
	for i := range calls {
		next <- i
	}
	close(next)
	running.Wait()
	return each, time.Since(start)
}

func (b *bare) call(id int) {
	r, err := http.NewRequest(http.MethodPost, b.url, bytes.NewReader(modernCall(id)))
	if err != nil {
		log.Fatal(err)
	}
	for name, value := range map[string]string{
		"Accept": "application/json, text/event-stream", "Content-Type": "application/json",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "echo",
	} {
		r.Header.Set(name, value)
	}
	res, err := b.client.Do(r)
	if err != nil {
		log.Fatal(err)
	}
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		log.Fatal(err)
	}
	res.Body.Close()
	checkAnswer(string(answer))
}

// A session is one of an editor with a bridge on its standard streams.
type session struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startBridge(command []string) caller {
	s := &session{cmd: exec.Command(command[0], command[1:]...)}
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		log.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	s.out = bufio.NewReaderSize(out, 1<<20)
	if err := s.cmd.Start(); err != nil {
		log.Fatal(err)
	}
	s.write([]byte(opening))
	for id(s.read()) != 0 {
	}
	s.write([]byte(opened))
	return s
}

func (s *session) stop() {
	s.in.Close()
	late := time.AfterFunc(10*time.Second, func() { s.cmd.Process.Kill() })
	s.cmd.Wait() // its code is of no interest here
	late.Stop()
}

func (s *session) load(calls, inFlight int) ([]time.Duration, time.Duration) {
	lines := make([][]byte, calls)
	for i := range lines {
		lines[i] = editorCall(i + 1)
	}
	sent := make([]time.Time, calls)
	var each []time.Duration
	next := 0
	send := func() {
		sent[next] = time.Now()
		s.write(lines[next])
		next++
	}
	start := time.Now()
	for range min(inFlight, calls) {
		send()
	}
	for len(each) < calls {
		answer := s.read()
		i := id(answer)
		if i < 1 || i > calls {
			log.Fatalf("an answer to no call: %.300s", answer)
		}
		each = append(each, time.Since(sent[i-1]))
		checkAnswer(string(answer))
		if next < calls {
			send()
		}
	}
	return each, time.Since(start)
}

func (s *session) write(line []byte) {
	if _, err := s.in.Write(line); err != nil {
		log.Fatal(err)
	}
}

func (s *session) read() []byte {
	line, err := s.out.ReadSlice('\n')
	if err != nil {
		log.Fatalf("the bridge %s has ended: %v", s.cmd.Path, err)
	}
	return line
}

// id returns the id of an answer; it is the last member, or one of the first two.
func id(answer []byte) int {
	at := bytes.LastIndex(answer, []byte(`"id":`))
	if at < 0 {
		return -1
	}
	digits := answer[at+len(`"id":`):]
	n := bytes.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
	v, err := strconv.Atoi(string(digits[:max(n, 0)]))
	if err != nil {
		return -1
	}
	return v
}

const (
	opening = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"bench","version":"1"}}}` + "\n"
	opened = `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	params = `"name":"echo","arguments":{"text":"what is asked for"}`
	meta   = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":` +
		`{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
)

func editorCall(id int) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s}}`+"\n", id, params)
}

func modernCall(id int) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s,%s}}`, id, params, meta)
}

// checkAnswer ends the program at an answer that is none to the call: a refusal would
// be fast.
func checkAnswer(answer string) {
	if !strings.Contains(answer, filler) || strings.Contains(answer, `"error"`) {
		log.Fatalf("no answer to a call: %.300s", answer)
	}
}
