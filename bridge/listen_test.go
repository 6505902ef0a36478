package bridge

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// A peer is the server's end of a link, line by line.
type peer struct {
	t   testing.TB
	in  *bufio.Reader
	out io.Writer
}

// expect reads a line and returns it; it must hold want.
func (p *peer) expect(want string) string {
	p.t.Helper()
	line, err := p.in.ReadString('\n')
	if err != nil || !strings.Contains(line, want) {
		p.t.Fatalf("the server got %q, %v; want %q", line, err, want)
	}
	return line
}

func (p *peer) write(format string, args ...any) { fmt.Fprintf(p.out, format+"\n", args...) }

// acknowledge takes a request for a stream under this id, and acknowledges it with
// this filter.
func (p *peer) acknowledge(id int, filter string) {
	p.t.Helper()
	p.expect(fmt.Sprintf(`"id":%d,"method":"subscriptions/listen","params":{"notifications":%s`, id, filter))
	p.write(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%d},"notifications":%s}}`, id, filter)
}

// end ends the stream.
func (p *peer) end(id int) {
	p.write(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":%[1]d}}}`, id)
}

// listened starts a Run whose server offers a list that changes, and resources to
// subscribe to.
func listened(t testing.TB) (*client, *peer) {
	near, far := jsonrpc.Pipe()
	t.Cleanup(func() { far.Close() })
	in, toBridge := io.Pipe()
	fromBridge, out := io.Pipe()
	k := bridgedOver(t, Config{Upstream: Link{near}}, in, toBridge, fromBridge, out)
	p := &peer{t: t, in: bufio.NewReader(far), out: far}
	k.send(initialize)
	p.expect(`"server/discover"`)
	p.write(`{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true}}}}`)
	if got, want := k.receive(), `"tools":{"listChanged":true},"resources":{"subscribe":true}`; !strings.Contains(got, want) {
		t.Errorf("initialize gave %s, want %s", got, want)
	}
	k.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return k, p
}

// leave ends the session from the client's side; the stream is taken back.
func (p *peer) leave(k *client, id int) {
	k.in.Close()
	p.expect(fmt.Sprintf(`"method":"notifications/cancelled","params":{"requestId":%d}`, id))
	p.end(id)
	k.wantEnd(nil, "")
}

const toolsChanged = `{"toolsListChanged":true}`

// A lost stream comes back after a while that is random within bounds, and the
// client is told that it may have missed something.
//
// req: N03
func TestT165LostStream(t *testing.T) {
	const runs = 8
	waits := map[time.Duration]bool{}
	for range runs {
		synctest.Test(t, func(t *testing.T) {
			k, p := listened(t)
			p.acknowledge(2, toolsChanged)
			p.end(2)
			lost := time.Now()
			p.acknowledge(3, toolsChanged)
			wait := time.Since(lost)
			if wait < 400*time.Millisecond || wait > 600*time.Millisecond {
				t.Errorf("the stream was asked for again after %v", wait)
			}
			waits[wait] = true
			if got, want := k.receive(), `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`; got != want {
				t.Errorf("the client got %s, want %s", got, want)
			}
			p.leave(k, 3)
		})
	}
	if len(waits) == 1 {
		t.Errorf("all %d waits are equal", runs)
	}
}

// A server that stays silent when its stream is taken back delays the answer to a
// subscription by no more than the drain.
//
// req: N02
func TestT163SilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k, p := listened(t)
		p.acknowledge(2, toolsChanged)
		synctest.Wait()
		begun := time.Now()
		k.send(`{"jsonrpc":"2.0","id":7,"method":"resources/subscribe","params":{"uri":"u:a"}}`)
		p.expect(`"notifications/cancelled","params":{"requestId":2}`)
		p.acknowledge(3, `{"toolsListChanged":true,"resourceSubscriptions":["u:a"]}`)
		if got, want := k.receive(), `{"jsonrpc":"2.0","id":7,"result":{}}`; got != want {
			t.Errorf("the client got %s, want %s", got, want)
		}
		if got, want := time.Since(begun), 250*time.Millisecond; got != want {
			t.Errorf("it was answered after %v, want %v", got, want)
		}
		p.leave(k, 3)
	})
}

// The end of the client's input ends the wait for a stream at once.
func TestT169EndWhileStreamIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k, p := listened(t)
		p.acknowledge(2, toolsChanged)
		p.end(2)
		synctest.Wait()
		begun := time.Now()
		k.in.Close()
		k.wantEnd(nil, "")
		if got := time.Since(begun); got != 0 {
			t.Errorf("ended after %v, want at once", got)
		}
	})
}
