package mcpwire

import (
	"strings"
	"testing"
)

// req: N04
func TestN04(t *testing.T) {
	for _, tt := range []struct{ name, from, to string }{
		{"escapes", `"a\u001b[2Jb\nc\td\r\b\f"`, `"a\\u001b[2Jb\\nc\\td\\r\\b\\f"`},
		{"every kind of control", `"\u0000\u001F\u007f\u007F\u0080\u009f"`, `"\\u0000\\u001F\\u007f\\u007F\\u0080\\u009f"`},
		{"characters as they are", "\"\x7f \u0080 \u009b \u009f\"", `"\\u007f \\u0080 \\u009b \\u009f"`},
		{"what is none", "\"\\u0020\\u007e\\u00a0\\u0100\\ud800\\u1b00\\\\u001b\\\\n\\\"\\/\u00a0\u00bf\u0300\"", "\"\\u0020\\u007e\\u00a0\\u0100\\ud800\\u1b00\\\\u001b\\\\n\\\"\\/\u00a0\u00bf\u0300\""},
		{"in names and deep down", `{"k\n": [1.0, {"a":"\u001b"}]}`, `{"k\\n": [1.0, {"a":"\\u001b"}]}`},
		{"a number", `1.50`, `1.50`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opened(t, Options{}).play(warningSet + message(`"level":"error","data":`+tt.from) + `
				F< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":` + tt.to + `}}`)
		})
	}
	t.Run("in the logger, and in every order", func(t *testing.T) {
		opened(t, Options{}).play(warningSet + message(`"logger":"l\n","x":"\n","data":"d\n","level":"error","_meta":{"com.acme/k":"\n"}`) + `
			F< {"jsonrpc":"2.0","method":"notifications/message","params":{"logger":"l\\n","data":"d\\n","level":"error","_meta":{"com.acme/k":"\n"}}}`)
	})
	t.Run("too many", func(t *testing.T) {
		p := opened(t, Options{})
		p.play(warningSet)
		p.input("U>", `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"`+strings.Repeat(`\n`, maxEdits+1)+`"}}`)
		p.silent("the end")
		if got := p.logged(EventDropped, "N04"); got != 1 {
			t.Errorf("logged %d drops, want 1", got)
		}
		p.play(message(`"level":"error","data":1`) + `
			F< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":1}}`)
	})
}
