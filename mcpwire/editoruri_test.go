package mcpwire

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What the editor asks for was computed with its own code and the URL class of its
// runtime: as the URL is, and, in versions that do so, without a slash at the end of
// the path.
//
// req: W21
func TestEditorForms(t *testing.T) {
	for _, tt := range []struct{ uri, want, short string }{
		{"ui://widget/a%2Fb?x=1&y=%26", "ui://widget/a/b?x=1&y=&", "ui://widget/a/b?x=1&y=&"},
		{"mem:/note", "mem:///note", "mem:///note"},
		{"mem:note", "mem://dylo78gypnote", "mem://dylo78gypnote"},
		{"mem:note/a", "mem://dylo78gypnote/a", "mem://dylo78gypnote/a"},
		{"urn:foo:bar", "", ""},
		{"urn:x:80", "urn://dylo78gypx:80", "urn://dylo78gypx:80"},
		{"memo://one", "memo://one", "memo://one"},
		{"memo://one/a b", "memo://one/a%20b", "memo://one/a%20b"},
		{"file:///c%3A/x%2By", "file:///c:/x+y", "file:///c:/x+y"},
		{"file:///C:/x", "file:///C:/x", "file:///C:/x"},
		{"file://Host/a", "file://host/a", "file://host/a"},
		{"file://localhost/a", "file:///a", "file:///a"},
		{"file:", "file:///", "file:///"},
		{"memo://one/a/../b/./c", "memo://one/b/c", "memo://one/b/c"},
		{"memo://one/../a", "memo://one/a", "memo://one/a"},
		{"memo://one/..", "memo://one/", "memo://one"},
		{"memo://one/%2e%2e/a", "memo://one/a", "memo://one/a"},
		{"memo://one/%252e%252e/a", "memo://one/a", "memo://one/a"},
		{"memo://one/é", "memo://one/%C3%A9", "memo://one/%C3%A9"},
		{"memo://one/a%zz", "memo://one/a%zz", "memo://one/a%zz"},
		{"memo://one/a#f%20g", "memo://one/a#f%20g", "memo://one/a#f%20g"},
		{"memo://one/?", "memo://one/", "memo://one"},
		{"memo://one/", "memo://one/", "memo://one"},
		{"mem:///", "mem:///", "mem://"},
		{"no-scheme", "file:///no-scheme", "file:///no-scheme"},
		{"/a:b", "file:///a:b", "file:///a:b"},
		{"", "file:///", "file:///"},
		{"HTTPS://Example.COM", "https://example.com/", "https://example.com/"},
		{"https://Example.COM", "https://example.com/", "https://example.com/"},
		{"https://example.com:443/a", "https://example.com/a", "https://example.com/a"},
		{"https://example.com:0443/a", "https://example.com/a", "https://example.com/a"},
		{"http://example.com:80", "http://example.com/", "http://example.com/"},
		{"http://example.com:8080", "http://example.com:8080/", "http://example.com:8080/"},
		{"https://example.com/a/", "https://example.com/a/", "https://example.com/a"},
		{"MEM://One/A", "mem://One/A", "mem://One/A"},
		{"Mem:note", "mem://dylo78gypnote", "mem://dylo78gypnote"},
		{"memo://One:80/a", "memo://One:80/a", "memo://One:80/a"},
		{"memo://one:/a", "memo://one/a", "memo://one/a"},
		{"ftp://h:21/a", "ftp://h/a", "ftp://h/a"},
		{"memo://u@h/a", "memo://u@h/a", "memo://u@h/a"},
		{"memo://u:p@h/a", "memo://u:p@h/a", "memo://u:p@h/a"},
		{"memo://a@b@c/d", "memo://a%40b@c/d", "memo://a%40b@c/d"},
		{"memo://u:p:q@h", "memo://u:p%3Aq@h", "memo://u:p%3Aq@h"},
		{"https://u:@H/x", "https://u@h/x", "https://u@h/x"},
		{"mailto:a@b", "mailto://dylo78gypa@b", "mailto://dylo78gypa@b"},
		{"memo://one/a%41%FF%42", "memo://one/a%41%FFB", "memo://one/a%41%FFB"},
		{"memo://one/%E4%F6", "memo://one/%E4%F6", "memo://one/%E4%F6"},
		{"memo://one/a^b", "memo://one/a^b", "memo://one/a^b"},
		{"memo://one/a|b[c]", "memo://one/a|b[c]", "memo://one/a|b[c]"},
		{"memo://one/a\\b", "memo://one/a\\b", "memo://one/a\\b"},
		{"https://h/a\\b", "https://h/a/b", "https://h/a/b"},
		{"https://h/a'b?c'd#e'f", "https://h/a'b?c%27d#e'f", "https://h/a'b?c%27d#e'f"},
		{"memo://h/a'b?c'd#e'f", "memo://h/a'b?c'd#e'f", "memo://h/a'b?c'd#e'f"},
		{"memo://h/a??x##y", "memo://h/a?x#y", "memo://h/a?x#y"},
		{"memo://a%2Fb/c", "memo://a/b/c", "memo://a/b/c"},
		{"memo://a b/c", "", ""},
		{"memo://é/c", "memo://%C3%A9/c", "memo://%C3%A9/c"},
		{"https://é/c", "https://xn--9ca/c", "https://xn--9ca/c"},
		{"https://127.1/c", "https://127.0.0.1/c", "https://127.0.0.1/c"},
		{"https://[::1]/c", "https://[::1]/c", "https://[::1]/c"},
		{"mem:////a", "", ""},
		{"1a:b", "", ""},
		{"a_b:c", "", ""},
		{"memo://one/a%2525", "memo://one/a%25", "memo://one/a%25"},
		{"memo://one/%3F%23", "memo://one/%3F%23", "memo://one/%3F%23"},
		{"memo://one/a%00b%7F", "memo://one/a%00b%7F", "memo://one/a%00b%7F"},
		{"memo://one//a//", "memo://one//a//", "memo://one//a/"},
		{"memo:?x", "memo://?x", "memo://?x"},
		{"memo://h?q#f", "memo://h?q#f", "memo://h?q#f"},
		{"https:foo", "", ""},
		{"file://h:80/a", "", ""},
		{"memo://one/a`{}<>\"b", "memo://one/a%60%7B%7D%3C%3E%22b", "memo://one/a%60%7B%7D%3C%3E%22b"},
		{"http://a.b.c/%7Euser", "http://a.b.c/~user", "http://a.b.c/~user"},
		{"ws://X:80", "ws://x/", "ws://x/"},
		{"wss://X:443/", "wss://x/", "wss://x/"},
		{"memo://one:99999/a", "", ""},
		{"file:///a/", "file:///a/", "file:///a"},
		{"memo://one/a\tb", "memo://one/ab", "memo://one/ab"},
		{"memo://%41B/x", "memo://AB/x", "memo://AB/x"},
		{"https://%41B/x", "https://ab/x", "https://ab/x"},
		{"file:///C|/x", "file:///C:/x", "file:///C:/x"},
		{"memo://h/.", "memo://h/", "memo://h"},
		{"memo://h/..a/...", "memo://h/..a/...", "memo://h/..a/..."},
		{"http:///a", "", ""},
		{"memo:///a?", "memo:///a", "memo:///a"},
		{"memo:///a#", "memo:///a", "memo:///a"},
	} {
		want := []string{tt.want}
		switch {
		case tt.want == "" || slices.Contains(rewritten, tt.uri):
			want = nil
		case tt.short != tt.want:
			want = []string{tt.want, tt.short}
		}
		if got := editorForms(tt.uri); !slices.Equal(got, want) {
			t.Errorf("editorForms(%q) = %q, want %q", tt.uri, got, want)
		}
	}
}

// rewritten are URIs that the editor asks for in a form that is not computed here:
// hosts that are rewritten as names of other scripts, or as numbers, and drive letters
// with a bar.
var rewritten = []string{"https://é/c", "https://127.1/c", "https://[::1]/c", "file:///C|/x"}

// req: W21
func TestW21(t *testing.T) {
	list := func(uris string) string {
		return `
			F> {"jsonrpc":"2.0","id":1,"method":"resources/list"}
			U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{META}}
			U> {"jsonrpc":"2.0","id":2,"result":{"resources":[` + uris + `]}}
			F< {"jsonrpc":"2.0","id":1,"result":{"resources":[` + uris + `]}}`
	}
	read := func(front, up string) string {
		return `
			F> {"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"` + front + `"}}
			U< {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"` + up + `",META}}`
	}
	opaque := `{"uri":"mem:note"},{"uri":"mem:/a%2Fb"}`
	for _, tt := range []struct{ name, uris, front, up string }{
		{"an opaque one", opaque, "mem://dylo78gypnote", "mem:note"},
		{"an escaped one", opaque, "mem:///a/b", "mem:/a%2Fb"},
		{"a special one", `{"uri":"HTTPS://Example.COM:443"}`, "https://example.com/", "HTTPS://Example.COM:443"},
		{"without the slash at its end", `{"uri":"mem://h/a/"}`, "mem://h/a", "mem://h/a/"},
		{"with the slash at its end", `{"uri":"mem://H/%61/"}`, "mem://H/a/", "mem://H/%61/"},
		{"one that differs in the slash at its end", `{"uri":"mem://h/a/"},{"uri":"mem://h/a"}`, "mem://h/a", "mem://h/a"},
		{"as it was listed", opaque, "mem:note", "mem:note"},
		{"one that nobody listed", opaque, "mem:///c", "mem:///c"},
		{"one of several", `{"uri":"mem:/a%2Fb"},{"uri":"mem:/a/b"}`, "mem:///a/b", "mem:///a/b"},
		{"one that is listed itself", `{"uri":"mem:/a%2Fb"},{"uri":"mem:///a/b"}`, "mem:///a/b", "mem:///a/b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opened(t, Options{Profile: VSCode}).play(list(tt.uris) + read(tt.front, tt.up))
		})
	}
	t.Run("contents have the URI that was asked for", func(t *testing.T) {
		opened(t, Options{Profile: VSCode}).play(list(`{"uri":"mem:note"},{"uri":"mem:/a%2Fb"}`) + read(`mem:\/\/\/a/b`, "mem:/a%2Fb") + `
			U> {"jsonrpc":"2.0","id":3,"result":{"contents":[{"uri":"mem:\/a%2Fb","text":"x"},{"text":"y","uri":"mem:/a/b/c"}]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"contents":[{"uri":"mem:\/\/\/a/b","text":"x"},{"text":"y","uri":"mem:/a/b/c"}]}}`)
	})
	t.Run("contents of a URI that went as it was stay", func(t *testing.T) {
		opened(t, Options{Profile: VSCode}).play(list(`{"uri":"mem:/a%2Fb"}`) + read(`mem:/a%2Fb`, "mem:/a%2Fb") + `
			U> {"jsonrpc":"2.0","id":3,"result":{"contents":[{"uri":"mem:/a%2Fb","text":"x"},{"uri":"mem:///a/b","text":"y"}]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"contents":[{"uri":"mem:/a%2Fb","text":"x"},{"uri":"mem:///a/b","text":"y"}]}}`)
	})
	t.Run("the next request of the slot has nothing of it", func(t *testing.T) {
		opened(t, Options{Profile: VSCode}).play(list(`{"uri":"mem:/a%2Fb"}`) + read(`mem:///a/b`, "mem:/a%2Fb") + `
			U> {"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"x"}}
			F< {"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}
			F> {"jsonrpc":"2.0","id":8,"method":"resources/read","params":{"uri":"mem:/a%2Fb"}}
			U< {"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"mem:/a%2Fb",META}}
			U> {"jsonrpc":"2.0","id":4,"result":{"contents":[{"uri":"mem:/a%2Fb","text":"x"}]}}
			F< {"jsonrpc":"2.0","id":8,"result":{"contents":[{"uri":"mem:/a%2Fb","text":"x"}]}}`)
	})
	t.Run("not found is told of the URI that went upstream", func(t *testing.T) {
		opened(t, Options{Profile: Profile{EditorURIs: true}}).play(list(opaque) + read("mem:///a/b", "mem:/a%2Fb") + `
			U> {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"x","data":{"uri":"mem:/a%2Fb"}}}
			F< {"jsonrpc":"2.0","id":7,"error":{"code":-32002,"message":"x","data":{"uri":"mem:/a%2Fb"}}}`)
	})
	t.Run("another list came before it is sent again", func(t *testing.T) {
		opened(t, Options{Profile: VSCode}).play(list(`{"uri":"mem:/a%2Fb"}`) + read("mem:///a/b", "mem:/a%2Fb") + `
			F> {"jsonrpc":"2.0","id":1,"method":"resources/list"}
			U< {"jsonrpc":"2.0","id":4,"method":"resources/list","params":{META}}
			U> {"jsonrpc":"2.0","id":4,"result":{"resources":[{"uri":"mem:///a/b"}]}}
			F< {"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"mem:///a/b"}]}}
			U> {"jsonrpc":"2.0","id":3,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}
			U< {"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"mem:///a/b",META}}
			U> {"jsonrpc":"2.0","id":5,"result":{"contents":[{"uri":"mem:\/\/\/a/b","text":"x"}]}}
			F< {"jsonrpc":"2.0","id":7,"result":{"contents":[{"uri":"mem:\/\/\/a/b","text":"x"}]}}`)
	})
	t.Run("when it is sent again", func(t *testing.T) {
		opened(t, Options{Profile: VSCode}).play(list(opaque) + read("mem:///a/b", "mem:/a%2Fb") + `
			U> {"jsonrpc":"2.0","id":3,"error":{"code":-32022,"message":"x","data":{"supported":["2026-07-28"]}}}
			U< {"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"mem:/a%2Fb",META}}`)
	})
	t.Run("the strict profile does not guess", func(t *testing.T) {
		opened(t, Options{}).play(list(opaque) + read("mem:///a/b", "mem:///a/b"))
	})
}

func resource(uri string) *resourceURI { return &resourceURI{uri, editorForms(uri)} }

// req: W21
func TestListedIsBounded(t *testing.T) {
	for name, tt := range map[string]struct {
		limits Limits
		fits   int // URIs of 4 bytes, each with a form of 6
	}{
		"URIs":  {Limits{ListedURIs: 7, ListedBytes: 1000}, 7},
		"bytes": {Limits{ListedURIs: 1000, ListedBytes: 79}, 7},
	} {
		t.Run(name, func(t *testing.T) {
			var l listed
			for i := range tt.fits {
				l.add(resource(fmt.Sprintf("m:/%d", i)), &tt.limits)
				l.add(resource("m:/0"), &tt.limits) // which is there already
			}
			if l.full || l.of("m:///0") != "m:/0" {
				t.Errorf("after %d URIs: full %v, of 0 %q", tt.fits, l.full, l.of("m:///0"))
			}
			l.add(resource("m:/x"), &tt.limits)
			if !l.full || l.of("m:///0") != "" || len(l.uris) > 0 {
				t.Errorf("after one more: full %v, of 0 %q, %d kept", l.full, l.of("m:///0"), len(l.uris))
			}
		})
	}
	exact := Limits{ListedURIs: 1000, ListedBytes: 20}
	var l listed
	l.add(resource("m:/1"), &exact)
	l.add(resource("m:/2"), &exact)
	if l.full {
		t.Error("as many bytes as the limit are too many")
	}
}

// An answer that lists more than is kept is not held in memory several times over.
func TestListingIsBounded(t *testing.T) {
	for name, limits := range map[string]Limits{"URIs": {ListedURIs: 2}, "bytes of URIs": {ListedBytes: 23}, "bytes of forms": {ListedBytes: 29}} {
		t.Run(name, func(t *testing.T) {
			p := opened(t, Options{Profile: VSCode, Limits: limits})
			p.play(`
				F> {"jsonrpc":"2.0","id":1,"method":"resources/list"}
				U< {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{META}}
				! hold
				U> {"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"m:/1"},{"uri":"m:/1"},{"uri":"m:/2"},{"uri":"m:/3"}]}}`)
			h := p.held[0]
			h.Run()
			if len(h.answer.uris.uris) > 0 || !h.answer.uris.full {
				t.Errorf("the answer holds %d URIs, full %v", len(h.answer.uris.uris), h.answer.uris.full)
			}
			var out Steps
			p.session.Shaped(p.now, h, &out)
			p.carryOut(&out)
			p.want(`F< {"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"m:/1"},{"uri":"m:/1"},{"uri":"m:/2"},{"uri":"m:/3"}]}}`)
			p.play(`
				F> {"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"m:///1"}}
				U< {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"m:///1",META}}`)
		})
	}
}

// Escapes that are no text cost a URI no more than other characters: they are not
// decoded again for each of them.
func TestEscapesThatAreNoText(t *testing.T) {
	uri := "memo://h/" + strings.Repeat("%ff", 10_000)
	if got := editorForms(uri); len(got) != 1 || got[0] != uri {
		t.Fatalf("the editor asks for %.40q…", got)
	}
	if got := testing.AllocsPerRun(1, func() { editorForms(uri) }); got > 100 {
		t.Errorf("%v allocations for one URI, want some that do not depend on its length", got)
	}
}

// The forms of a URI take memory of its own size, so that a list of many takes little.
func TestFormsTakeLittle(t *testing.T) {
	for _, uri := range []string{"a:b", "memo://one/a%2Fb?x=1", "https://A.example:443/"} {
		if got := testing.AllocsPerRun(100, func() { editorForms(uri) }); got > 16 {
			t.Errorf("editorForms(%q) allocates %v times, want 16 at most", uri, got)
		}
	}
}
