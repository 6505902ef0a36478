package mcpwire

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"
)

// req: W15
func TestT197(t *testing.T) {
	for _, tt := range []struct{ name, from, want string }{
		{"plain", "us-west1", "us-west1"},
		{"spaces within", "two  words", "two  words"},
		{"the first and the last of ASCII", "!~", "!~"},
		{"not ASCII", "Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="},
		{"spaces around", " padded ", "=?base64?IHBhZGRlZCA=?="},
		{"a space before", " x", "=?base64?IHg=?="},
		{"a space behind", "x ", "=?base64?eCA=?="},
		{"only a space", " ", "=?base64?IA==?="},
		{"a tab within", "a\tb", "=?base64?YQli?="},
		{"a line break", "a\r\nX-Evil: 1", "=?base64?YQ0KWC1FdmlsOiAx?="},
		{"NUL", "\x00", "=?base64?AA==?="},
		{"DEL", "\x7f", "=?base64?fw==?="},
		{"what looks encoded", "=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="},
		{"empty and encoded", "=?base64??=", "=?base64?PT9iYXNlNjQ/Pz0=?="},
		{"both marks in one", "=?base64?=", "=?base64?PT9iYXNlNjQ/PQ==?="},
		{"the first mark only", "=?base64?x", "=?base64?x"},
		{"the last mark only", "x?=", "x?="},
		{"the mark in upper case", "=?BASE64?eA==?=", "=?BASE64?eA==?="},
		{"not the alphabet of URLs", "\u00ff\u00fe\u00ff", "=?base64?w7/DvsO/?="},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := headerValue(tt.from); got != tt.want {
				t.Errorf("%q becomes %q, want %q", tt.from, got, tt.want)
			}
		})
	}
}

// T201: some servers read a header that is empty as one that is not there.
//
// req: W15
func TestT201(t *testing.T) {
	if got, want := headerValue(""), "=?base64??="; got != want {
		t.Errorf("the empty string becomes %q, want %q", got, want)
	}
	p := openedHTTP(t, Options{}, `"prompts":{}`)
	p.overHTTP(`
		F> {"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":""}}
		U< {"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"",METAHTTP}}
		H< Mcp-Name: =?base64??=`)
}

// Whatever the value, a server gets it back, and the header is one.
func FuzzHeaderValue(f *testing.F) {
	for _, s := range []string{"", "x", " ", "é", "=?base64?x?=", "=?base64?=", "\r\n", "a\tb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip("a JSON string holds none")
		}
		got := headerValue(text)
		for _, c := range []byte(got) {
			if c < 0x20 || c > 0x7e {
				t.Fatalf("%q becomes %q", text, got)
			}
		}
		if got == "" || got != strings.Trim(got, " ") {
			t.Fatalf("%q becomes %q", text, got)
		}
		if back := decodeHeader(t, got); back != text {
			t.Fatalf("%q becomes %q, which is read as %q", text, got, back)
		}
	})
}

// decodeHeader reads a value as a server does.
func decodeHeader(t *testing.T, value string) string {
	t.Helper()
	rest, ok := strings.CutPrefix(value, "=?base64?")
	if !ok {
		return value
	}
	if rest, ok = strings.CutSuffix(rest, "?="); !ok {
		return value
	}
	text, err := base64.StdEncoding.Strict().DecodeString(rest)
	if err != nil {
		t.Fatalf("%q: %v", value, err)
	}
	return string(text)
}

// T195 and T196: what the headers say is what the body says, after all that was
// rewritten in it.
//
// req: W15
func TestT195(t *testing.T) {
	const capabilities = `"tools":{},"resources":{},"prompts":{},"completions":{}`
	for _, tt := range []struct{ name, script string }{
		{"a list", `
			F> {"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"c"}}
			U< {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"c",METAHTTP}}`},
		{"a completion", `
			F> {"jsonrpc":"2.0","id":7,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"v"}}}
			U< {"jsonrpc":"2.0","id":2,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"v"},METAHTTP}}`},
		{"a prompt", `
			F> {"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"arguments":{"name":"other"},"name":"Gr\u00fc\u00dfe \"x\""}}
			U< {"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"arguments":{"name":"other"},"name":"Gr\u00fc\u00dfe \"x\"",METAHTTP}}
			H< Mcp-Name: =?base64?R3LDvMOfZSAieCI=?=`},
		{"a resource", `
			F> {"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"memo:a\/b"}}
			U< {"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"memo:a\/b",METAHTTP}}
			H< Mcp-Name: memo:a/b`},
	} {
		t.Run(tt.name, func(t *testing.T) { openedHTTP(t, Options{}, capabilities).overHTTP(tt.script) })
	}
}

// T196: a resource that the editor asks for under another URI is read, and named, under
// the one that was listed (W21).
func TestT196ListedURI(t *testing.T) {
	p := openedHTTP(t, Options{Profile: VSCode}, `"resources":{}`)
	p.overHTTP(`
		F> {"jsonrpc":"2.0","id":7,"method":"resources/list"}
		U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{METAHTTP}}
		U> 2 {"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"HTTP://Host/A","name":"a"}]}}
		C< 2
		F< {"jsonrpc":"2.0","id":7,"result":{"resources":[{"uri":"HTTP://Host/A","name":"a"}]}}
		F> {"jsonrpc":"2.0","id":8,"method":"resources/read","params":{"uri":"http://host/A"}}
		U< {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"HTTP://Host/A",METAHTTP}}
		H< Mcp-Name: HTTP://Host/A`)
}
