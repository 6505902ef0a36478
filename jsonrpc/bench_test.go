package jsonrpc

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// result wraps a text, which is JSON without its quotes, so that it is a result.
func result(text string) []byte {
	return []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`)
}

// benchLines are the kinds of message whose speed is watched.
func benchLines() map[string][]byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	blob := make([]byte, 768<<10)
	for i := range blob {
		blob[i] = byte(rnd.Uint32())
	}
	var log, mixed, list strings.Builder
	for i := 0; log.Len() < 1<<20; i++ {
		fmt.Fprintf(&log, `2026-11-30T12:%02d level=info msg=\"tick\" n=%d path=\/srv\n`, i%60, i)
	}
	for i := 0; mixed.Len() < 1<<20; i++ {
		fmt.Fprintf(&mixed, "Größe und façade, naïve coöperation %d – 漢字かな交じり文の例です。", i)
	}
	for i := range 50 {
		fmt.Fprintf(&list, `,{"name":"tool_%d","description":"%s","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"A path."},"limit":{"type":"integer","minimum":0,"maximum":100},"tags":{"type":"array","items":{"type":"string"}}},"required":["path"]}}`,
			i, strings.Repeat("It does what it says. ", 20))
	}
	return map[string][]byte{
		"call":   []byte(smallCall),
		"list":   []byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[` + list.String()[1:] + `]}}`),
		"base64": result(base64.StdEncoding.EncodeToString(blob)),
		"log":    result(log.String()),
		"mixed":  result(mixed.String()),
		"ints":   []byte(`{"jsonrpc":"2.0","id":1,"result":[` + strings.Repeat("1,", 1<<19) + `1]}`),
	}
}

func BenchmarkScan(b *testing.B) {
	for name, line := range benchLines() {
		b.Run(name, func(b *testing.B) {
			s := callOptions.newScanner()
			m := &Message{flat: line, n: len(line), members: make([]Member, len(callOptions.Members))}
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				s.begin(m)
				s.feed(line)
				if f := s.verdict(false); f != 0 {
					b.Fatal(f)
				}
			}
		})
	}
}

// What BenchmarkScan is measured by.
func BenchmarkIndexByte(b *testing.B) {
	line := benchLines()["base64"]
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if bytes.IndexByte(line, '\n') >= 0 {
			b.Fatal("found a line feed")
		}
	}
}

func BenchmarkWalk(b *testing.B) {
	line := benchLines()["list"]
	m, err := Parse(line, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if n := visit(m); n != 50 {
			b.Fatalf("%d tools", n)
		}
	}
}

// visit looks at the members of each tool.
func visit(m *Message) (tools int) {
	w := m.Walk(m.Result)
	for w.Next() {
		w.Enter()
		for w.Next() {
			tools++
			w.Enter()
			for w.Next() {
				if w.NameIs("inputSchema") {
					w.Skip()
				}
			}
			w.Leave()
		}
		w.Leave()
	}
	return tools
}
