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
