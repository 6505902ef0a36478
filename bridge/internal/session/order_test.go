package session

import (
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A kind is one of the things that a server writes. ask is the request that it is
// about, if there is one, and say what the server writes: %[1]d is the id of the
// request toward the server, %[2]s the mark by which the test knows it again.
type kind struct{ ask, say string }

var kinds = []kind{
	{"", `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%[2]s"}}`},
	{
		`"method":"tools/call","params":{"name":"t"}`,
		`{"jsonrpc":"2.0","id":%[1]d,"result":{"resultType":"complete","content":[{"type":"text","text":"%[2]s"}]}}`,
	},
	{ // longer than the bridge keeps in one piece
		`"method":"tools/call","params":{"name":"t"}`,
		`{"jsonrpc":"2.0","id":%[1]d,"result":{"resultType":"complete","content":[{"type":"text","text":"%[2]s` +
			strings.Repeat("x", 200_000) + `"}]}}`,
	},
	{
		`"method":"tools/call","params":{"name":"t"}`,
		`{"jsonrpc":"2.0","id":%[1]d,"error":{"code":-32000,"message":"%[2]s"}}`,
	},
	{ // the bridge makes another answer of it
		`"method":"tools/call","params":{"name":"%[2]s"}`,
		`{"jsonrpc":"2.0","id":%[1]d,"result":{"resultType":"task"}}`,
	},
	{ // the bridge reads every part of it
		`"method":"tools/list"`,
		`{"jsonrpc":"2.0","id":%[1]d,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"%[2]s"}` +
			strings.Repeat(`,{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"array"}}}}`, 500) + `]}}`,
	},
	{
		`"method":"tools/call","params":{"name":"t","_meta":{"progressToken":"%[2]s"}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%[1]d,"progress":1}}`,
	},
}

// What a server writes reaches the client in the order in which it was written,
// whatever it takes to translate it and however the client reads.
//
// req: W18
func TestW18OrderOfTheServer(t *testing.T) {
	for _, tt := range []struct {
		name string
		slow bool
	}{{"client that reads", false}, {"client that reads late", true}} {
		for seed := range uint64(5) {
			t.Run(fmt.Sprint(tt.name, " ", seed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r := newRig(t, nil).open()
					r.client.send(`{"jsonrpc":"2.0","id":"level","method":"logging/setLevel","params":{"level":"debug"}}`)
					lines, want := r.asked(rand.New(rand.NewPCG(seed, 18)))
					r.client.lines()
					r.client.set(tt.slow, false)
					go io.WriteString(r.server.to, lines)
					time.Sleep(time.Minute)
					r.client.set(false, false)
					synctest.Wait()
					r.wantOrder(want)
					r.leave()
				})
			})
		}
	}
}

var mark = regexp.MustCompile(`mark\d+;|"id":"mark\d+;"`)

// asked sends requests, and returns what a server writes then, in the order of dice,
// with the marks in that order.
func (r *rig) asked(dice *rand.Rand) (lines string, marks []string) {
	type thing struct{ line, mark string }
	var things []thing
	exchange := 1
	for i := range 100 {
		k := kinds[i%len(kinds)]
		m := fmt.Sprintf("mark%d;", i)
		if k.ask != "" {
			exchange++
			r.client.send(`{"jsonrpc":"2.0","id":"%s",`+format(k.ask, exchange, m)+`}`, m)
		}
		things = append(things, thing{format(k.say, exchange, m), m})
	}
	dice.Shuffle(len(things), func(i, j int) { things[i], things[j] = things[j], things[i] })
	var all strings.Builder
	for _, th := range things {
		all.WriteString(th.line + "\n")
		marks = append(marks, th.mark)
	}
	return all.String(), marks
}

// format fills the verbs of text, of which any may be missing.
func format(text string, exchange int, mark string) string {
	return strings.NewReplacer("%[1]d", fmt.Sprint(exchange), "%[2]s", mark).Replace(text)
}

// wantOrder wants one line for each mark, in that order.
func (r *rig) wantOrder(want []string) {
	r.t.Helper()
	var got []string
	for line := range strings.Lines(r.client.lines()) {
		got = append(got, strings.TrimSuffix(strings.TrimPrefix(mark.FindString(line), `"id":"`), `"`))
	}
	if !slices.Equal(got, want) {
		r.t.Errorf("the client got %d lines\n%q\nwant %d\n%q", len(got), got, len(want), want)
	}
}
