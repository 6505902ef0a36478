package signin

import (
	"path/filepath"
	"strings"
	"testing"
)

// A person signs in with a real browser that the bridge has opened, and later agrees to more
// on the page that the editor was asked to open. go test -artifacts keeps pictures of what
// there is to see.
//
// req: S01, S05, S11
func TestSignInPeerChromium(t *testing.T) {
	p := newPeer(t, "--pages")
	who := newPerson(t, p)
	b := newBrowser(t, p.key)
	who.env = []string{"BROWSER=" + b.script}
	dir := t.ArtifactDir()
	picture := func(name string) {
		b.do("picture", arguments{"into": filepath.Join(dir, "bridge-"+name+".png"), "scheme": "light", "width": 800, "direction": "ltr"})
	}
	f := who.start()
	_, answer := f.initializing(object{"elicitation": object{"url": object{}}})
	b.meet()
	b.do("shown", arguments{"until": "/interaction/"})
	picture("login")
	b.do("fill", arguments{"field": "login", "value": "grace"})
	b.do("fill", arguments{"field": "password", "value": "password"})
	b.do("click", arguments{"button": "Sign-in", "until": "/interaction/"})
	picture("consent")
	_, text := b.do("click", arguments{"button": "Continue", "until": "/callback"})
	picture("signed-in")
	if !strings.Contains(text, "You can close this tab and go back to mcp-bridge-vscode.") {
		t.Errorf("the page at the end shows %q", text)
	}
	if r := answer(); r.Error != nil {
		t.Fatalf("initialize: %+v", r.Error)
	}
	f.initialized()
	if got := f.call("whoami").text(); got != "grace" {
		t.Errorf("signed in as %s", got)
	}

	_, answer = f.calling("write")
	q := f.asks()
	f.answer(q, "accept")
	_, text = b.do("go", arguments{"target": q.Params.URL})
	picture("more")
	if !strings.Contains(text, p.URL+":\nwrite") {
		t.Errorf("the page that asks for more shows %q", text)
	}
	b.do("click", arguments{"button": "Continue", "until": "/callback"})
	picture("agreed")
	if got := answer().text(); got != "written" {
		t.Errorf("answer %s", got)
	}
	f.close()
	p.wants(t, 0, 2, 0, 1)
	if got := p.since(0, "/reg")[0].text("client_name"); got != "mcp-bridge-vscode (trestle)" {
		t.Errorf("the client calls itself %q", got)
	}
}
