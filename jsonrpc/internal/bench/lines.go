package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// request is a tools/call of the usual size.
const request = `{"jsonrpc":"2.0","id":1234,"method":"tools/call","params":{"name":"search_files","arguments":{"path":"/srv/project/src/lib/x","pattern":"*.go","recursive":true,"limit":100,"note":"a \"quoted\" word","exclude":["vendor","node_modules"]},"_meta":{"progressToken":1234,"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`

const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1234,"progress":42,"total":100,"message":"reading file 42 of 100 …"}}`

type line struct {
	name string
	text []byte
}

func result(text string) []byte {
	return []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`)
}

// lines are the kinds of message that are compared.
func lines() []line {
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
	return []line{
		{"request", []byte(request)},
		{"progress", []byte(progress)},
		{"tools list", []byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[` + list.String()[1:] + `]}}`)},
		{"nested", []byte(`{"jsonrpc":"2.0","id":1,"result":{"v":` + strings.Repeat(`{"a":[`, 30) + strings.Repeat(`]}`, 30) + `}}`)},
		{"base64", result(base64.StdEncoding.EncodeToString(blob))},
		{"escapes", result(log.String())},
		{"mixed text", result(mixed.String())},
	}
}

// again gives the same line for ever, as much as is asked for. It copies some of
// them at once, so that it takes little part in what is measured.
type again struct {
	lines []byte
	at    int
}

func newAgain(line string) *again {
	return &again{lines: bytes.Repeat([]byte(line), 1+(4<<10)/len(line))}
}

func (a *again) Read(b []byte) (n int, err error) {
	for n < len(b) {
		k := copy(b[n:], a.lines[a.at:])
		if a.at += k; a.at == len(a.lines) {
			a.at = 0
		}
		n += k
	}
	return n, nil
}
