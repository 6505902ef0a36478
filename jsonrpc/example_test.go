package jsonrpc_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// The read loop of a program that takes messages from a stream.
func ExampleReader() {
	input := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"add","params":{"a":1,"b":2}}
{"method":"sub","params":{"a":"\x"},"jsonrpc":"2.0","id":2}
{"jsonrpc":"2.0","method":"bye"}
`)
	r := jsonrpc.NewReader(input, nil)
	for {
		m, err := r.Read()
		if bad, ok := errors.AsType[*jsonrpc.LineError](err); ok {
			fmt.Printf("request %s: %v\n", bad.ID, bad)
			continue
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		method, _ := m.String(m.Method)
		fmt.Printf("%s %s\n", method, m.AppendSpan(nil, m.Params))
	}
	// Output:
	// add {"a":1,"b":2}
	// request 2: jsonrpc: line is not valid JSON
	// bye
}

// A message is sent on with another id and without the member debug.
func ExampleMessage_Walk() {
	line := []byte(`{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":1.0,"debug":[true],"y":"\u0041"}}`)
	m, err := jsonrpc.Parse(line, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	edits := []jsonrpc.Edit{{Off: m.ID.Off, Cut: m.ID.Len(), Insert: []byte(`"a-1"`)}}
	w := m.Walk(m.Params)
	for w.Next() {
		if w.NameIs("debug") {
			prev := w.Prev() // of the first of several, cut up to the next name instead
			edits = append(edits, jsonrpc.Edit{Off: prev, Cut: w.Skip().End - prev})
		}
	}
	fmt.Printf("%s\n", m.AppendEdited(nil, edits))
	// Output: {"jsonrpc":"2.0","id":"a-1","method":"m","params":{"x":1.0,"y":"\u0041"}}
}

// However large a value is, only so much work is done on it.
func ExampleWalk_SetBudget() {
	line := []byte(`{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"a"},{"name":"b"},{"name":"c"}]}}`)
	m, err := jsonrpc.Parse(line, &jsonrpc.ReaderOptions{Members: []string{"tools"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := m.Walk(m.Member(0).Value)
	w.SetBudget(2)
	for w.Next() {
		fmt.Printf("%s\n", m.AppendSpan(nil, w.Skip()))
	}
	if w.Exceeded() {
		fmt.Println("and more")
	}
	// Output:
	// {"name":"a"}
	// {"name":"b"}
	// and more
}

// A line that is at hand is checked, and what is wrong with it said.
func ExampleParse() {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"m"}`,
		`{"jsonrpc":"2.0","id":1,"method":"m","id":2}`,
		`{"jsonrpc":"2.0","id":"x","method":"m","params":{"t":"`,
	} {
		m, err := jsonrpc.Parse([]byte(line), nil)
		if bad, ok := errors.AsType[*jsonrpc.LineError](err); ok {
			fmt.Printf("%v, id %q\n", bad, bad.ID)
			continue
		}
		fmt.Println(m.Kind == jsonrpc.KindRequest)
	}
	// Output:
	// true
	// jsonrpc: line holds a member twice, id ""
	// jsonrpc: line is not valid JSON, id "\"x\""
}

// A message that may be large is sent on without a copy of it.
func ExampleMessage_AppendSlices() {
	m, err := jsonrpc.Parse([]byte(`{"jsonrpc":"2.0","id":7,"result":{}}`), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	slices := m.AppendSlices(nil, []jsonrpc.Edit{{Off: m.ID.Off, Cut: m.ID.Len(), Insert: []byte("8")}})
	for _, b := range append(slices, []byte("\n")) {
		os.Stdout.Write(b) // a socket takes all of them at once, as net.Buffers
	}
	// Output: {"jsonrpc":"2.0","id":8,"result":{}}
}

// Two connections in one process.
func ExampleConn() {
	a, b := jsonrpc.Pipe()
	client := jsonrpc.NewConn(a, a, nil)
	server := jsonrpc.NewConn(b, b, &jsonrpc.ConnOptions{
		OnRequest: func(ctx context.Context, method string, params []byte) ([]byte, error) {
			if method != "greet" {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no such method"}
			}
			return []byte(`"hello"`), nil
		},
	})
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { client.Run(ctx) })
	wg.Go(func() { server.Run(ctx) })

	result, err := client.Call(ctx, "greet", []byte(`{"name":"x"}`))
	fmt.Printf("%s %v\n", result, err)
	_, err = client.Call(ctx, "other", nil)
	fmt.Println(err)

	cancel()
	wg.Wait()
	// Output:
	// "hello" <nil>
	// no such method
}

// Messages that were read with another line ending leave with ours.
func ExampleWriter() {
	r := jsonrpc.NewReader(strings.NewReader("{\"jsonrpc\":\"2.0\",\"method\":\"m\"}\r\n\r\n"), nil)
	w := jsonrpc.NewWriter(os.Stdout)
	m, err := r.Read()
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Write(m, nil); err != nil {
		fmt.Println(err)
	}
	if err := w.Flush(); err != nil {
		fmt.Println(err)
	}
	// Output: {"jsonrpc":"2.0","method":"m"}
}

// The messages of an event stream, as an HTTP response holds them.
func ExampleEventReader() {
	body := strings.NewReader(": hello\r\n\r\nid: 4\r\ndata: {\"jsonrpc\":\"2.0\",\r\ndata:  \"id\":1,\"result\":{}}\r\n\r\n")
	r := jsonrpc.NewEventReader(body, nil)
	m, err := r.Read()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s, after event %s\n", m.AppendEdited(nil, nil), r.LastID())
	_, err = r.Read()
	fmt.Println(err)
	// Output:
	// {"jsonrpc":"2.0",  "id":1,"result":{}}, after event 4
	// EOF
}
