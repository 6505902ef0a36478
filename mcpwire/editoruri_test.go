package mcpwire

import (
	"fmt"
	"testing"
)

func TestEditorForm(t *testing.T) {
	for _, tt := range []struct{ uri, want string }{
		{"ui://widget/a%2Fb?x=1&y=%26", "ui://widget/a/b?x=1&y=&"},
		{"mem:/note", "mem:///note"},
		{"mem:note", "mem://dylo78gypnote"},
		{"mem:note/a", "mem://dylo78gypnote/a"},
		{"urn:foo:bar", ""},
		{"memo://one", "memo://one"},
		{"memo://one/a b", "memo://one/a%20b"},
		{"memo://one/a%20b", "memo://one/a%20b"},
		{"file:///c%3A/x%2By", "file:///c:/x+y"},
		{"memo://one/a/../b/./c", "memo://one/b/c"},
		{"memo://one/\u00e9", "memo://one/%C3%A9"},
		{"memo://one/a%zz", "memo://one/a%zz"},
		{"memo://one/a#f%20g", "memo://one/a#f%20g"},
		{"memo://one/?", "memo://one/"},
		{"no-scheme", ""},
		{"/a:b", ""},
		{"", ""},
	} {
		if got, _ := editorForm(tt.uri); got != tt.want {
			t.Errorf("editorForm(%q) = %q, want %q", tt.uri, got, tt.want)
		}
	}
}

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
		{"as it was listed", opaque, "mem:note", "mem:note"},
		{"one that nobody listed", opaque, "mem:///c", "mem:///c"},
		{"one of several", `{"uri":"mem:/a%2Fb"},{"uri":"mem:/a/b"}`, "mem:///a/b", "mem:///a/b"},
		{"one that is listed itself", `{"uri":"mem:/a%2Fb"},{"uri":"mem:///a/b"}`, "mem:///a/b", "mem:///a/b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opened(t, Options{Profile: VSCode}).play(list(tt.uris) + read(tt.front, tt.up))
		})
	}
	t.Run("the strict profile does not guess", func(t *testing.T) {
		opened(t, Options{}).play(list(opaque) + read("mem:///a/b", "mem:///a/b"))
	})
}

func TestListedIsBounded(t *testing.T) {
	for name, tt := range map[string]struct {
		limits Limits
		fits   int // URIs of 4 bytes
	}{
		"URIs":  {Limits{ListedURIs: 7, ListedBytes: 1000}, 7},
		"bytes": {Limits{ListedURIs: 1000, ListedBytes: 31}, 7},
	} {
		t.Run(name, func(t *testing.T) {
			var l listed
			for i := range tt.fits {
				l.add(fmt.Sprintf("m:/%d", i), &tt.limits)
				l.add("m:/0", &tt.limits) // which is there already
			}
			if l.full || l.of("m:///0") != "m:/0" {
				t.Errorf("after %d URIs: full %v, of 0 %q", tt.fits, l.full, l.of("m:///0"))
			}
			l.add("m:/x", &tt.limits)
			if !l.full || l.of("m:///0") != "" || len(l.uris) > 0 {
				t.Errorf("after one more: full %v, of 0 %q, %d kept", l.full, l.of("m:///0"), len(l.uris))
			}
		})
	}
	exact := Limits{ListedURIs: 1000, ListedBytes: 8}
	var l listed
	l.add("m:/1", &exact)
	l.add("m:/2", &exact)
	if l.full {
		t.Error("as many bytes as the limit are too many")
	}
}
