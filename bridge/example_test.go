package bridge_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/trestle-mcp/trestle/bridge"
	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// An editor on standard input and output, a server that is started as a child. The
// command mcp-bridge-vscode adds options, signals and a watchdog to this.
func ExampleRun() {
	err := bridge.Run(context.Background(), bridge.Config{
		Front:    bridge.Stdio{In: os.Stdin, Out: os.Stdout},
		Upstream: bridge.Command{Path: "my-server", Args: []string{"--stdio"}, Stderr: os.Stderr},
		Profile:  mcpwire.VSCode,
		Log:      bridge.NewLog(os.Stderr, slog.LevelInfo),
	})
	if err != nil {
		os.Exit(1)
	}
}

// A server that has the bridge inside: clients of either era are served by one function.
func ExampleServeStdio() {
	in, editor := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error)
	go func() {
		clock := func(_ context.Context, in io.ReadCloser, out io.WriteCloser) error {
			answer(in, out)
			return nil
		}
		done <- bridge.ServeStdio(context.Background(), in, out, clock, bridge.ServeOptions{Profile: mcpwire.VSCode})
	}()

	fmt.Fprintln(editor, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{`+
		`"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"editor","version":"1"}}}`)
	line, _ := bufio.NewReader(answers).ReadString('\n')
	fmt.Print(line)

	editor.Close()
	fmt.Println("end:", <-done)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"clock","version":"1"}}}
	// end: <nil>
}

// A server in the same process is reached over a Link.
func ExampleRun_link() {
	near, far := jsonrpc.Pipe()
	go discover(far)

	in, editor := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error)
	go func() {
		done <- bridge.Run(context.Background(), bridge.Config{
			Front:    bridge.Stdio{In: in, Out: out},
			Upstream: bridge.Link{Stream: near},
		})
	}()

	fmt.Fprintln(editor, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{`+
		`"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"editor","version":"1"}}}`)
	line, _ := bufio.NewReader(answers).ReadString('\n')
	fmt.Print(line)

	editor.Close()
	fmt.Println("end:", <-done)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"clock","version":"1"}}}
	// end: <nil>
}

// discover is a server of revision 2026-07-28 that has not much to say.
func discover(stream io.ReadWriteCloser) {
	defer stream.Close()
	answer(stream, stream)
}

// answer answers every request by what the server is.
func answer(in io.Reader, out io.Writer) {
	r := jsonrpc.NewReader(in, nil)
	for {
		m, err := r.Read()
		if err != nil {
			return
		}
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"public",`+
			`"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},`+
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"clock","version":"1"}}}}`+"\n", m.AppendSpan(nil, m.ID))
	}
}
