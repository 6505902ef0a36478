package mcpwire

import (
	"fmt"
	"strings"
	"testing"
)

// A notification over the limit is dropped whole, whatever it is and whichever member
// makes it long.
//
// req: N04, W04
func TestN04LongNotification(t *testing.T) {
	for _, tt := range []struct{ name, rule, before, params, method string }{
		{"data of a log message", "N04", warningSet, `"level":"error","data":"FILL"`, "notifications/message"},
		{"logger of a log message", "N04", warningSet, `"level":"error","logger":"FILL","data":1`, "notifications/message"},
		{"_meta of a log message", "N04", warningSet, `"level":"error","data":1,"_meta":{"a.example/k":"FILL"}`, "notifications/message"},
		{"a member of progress that nobody knows", "T145", `F> ` + watchedCall + `
			U< {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t",` + meta + `,"progressToken":2}}}`, `"progressToken":2,"progress":1,"x":"FILL"`, "notifications/progress"},
	} {
		for _, limit := range []int{300, standard.Notification} {
			for over := -1; over <= 1; over++ {
				t.Run(fmt.Sprintf("%s: %d%+d", tt.name, limit, over), func(t *testing.T) {
					p := opened(t, Options{Limits: Limits{Notification: limit}})
					p.play(tt.before)
					p.input("U>", notificationOf(limit+over, tt.method, tt.params))
					if got, want := len(p.wrote), 1-max(over, 0); got != want {
						t.Errorf("%d lines are written, want %d", got, want)
					}
					if got := p.logged(EventDropped, tt.rule); got != max(over, 0) {
						t.Errorf("%d events of %s, want %d", got, tt.rule, max(over, 0))
					}
				})
			}
		}
	}
}

// notificationOf returns a notification of size bytes: the word FILL in params stands for
// what makes it as long as that.
func notificationOf(size int, method, params string) string {
	line := `{"jsonrpc":"2.0","method":"` + method + `","params":{` + params + `}}`
	return strings.Replace(line, "FILL", strings.Repeat("x", size-len(line)+len("FILL")), 1)
}

// An acknowledgement may be as long as the URIs that it repeats, while it is awaited.
//
// req: N01
func TestN04LongAcknowledgement(t *testing.T) {
	const limit, uris = 400, 30
	const ack = "notifications/subscriptions/acknowledged"
	const params = `"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":{"toolsListChanged":true},"x":"FILL"`
	for over := -1; over <= 1; over++ {
		t.Run(fmt.Sprint(over), func(t *testing.T) {
			p := ready(t, Options{Limits: Limits{Notification: limit, URIBytes: uris}}, `"tools":{"listChanged":true}`)
			p.input("F>", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			p.input("U>", notificationOf(limit+6*uris+over, ack, params))
			want := stageActive
			if over > 0 {
				want = stageOpening
			}
			if got := p.session.core.listen.stage; got != want {
				t.Errorf("the stage is %d, want %d", got, want)
			}
			if over <= 0 { // nobody waits for a second one
				p.input("U>", notificationOf(limit+1, ack, params))
			}
			if got := p.logged(EventDropped, "T145"); got != 1 {
				t.Errorf("%d are dropped for their length, want 1", got)
			}
		})
	}
}

// The code of an error that is over the limit is not looked for: the stream counts as
// lost.
//
// req: N03
func TestT165LongError(t *testing.T) {
	const limit = 300
	for over := -1; over <= 1; over++ {
		t.Run(fmt.Sprint(over), func(t *testing.T) {
			p := ready(t, Options{Limits: Limits{Notification: limit}}, `"tools":{"listChanged":true}`)
			p.input("F>", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			line := `{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":""}}`
			p.input("U>", strings.Replace(line, `""`, `"`+strings.Repeat("x", limit+over-len(line))+`"`, 1))
			want := stageStopped
			if over > 0 {
				want = stageWaiting
			}
			if got := p.session.core.listen.stage; got != want {
				t.Errorf("the stage is %d, want %d", got, want)
			}
		})
	}
}
