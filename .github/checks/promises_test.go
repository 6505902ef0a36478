package checks

import (
	"strings"
	"testing"
)

// What only a document can do is there, in these words.
//
// req: S21, X10, X11
func TestWhatDocumentsSay(t *testing.T) {
	for _, tt := range []struct{ row, file, text string }{
		{"S21", "cmd/README.md", "On a machine that you share, other users can see which program is started with which URL, and one could be faster than your browser: use `--no-browser` there."},
		{"X10", "README.md", "Visual Studio Code is a trademark of Microsoft. This project is not affiliated with Microsoft"},
		{"X11", "README.md", "An editor that runs in a web browser alone, which starts no command."},
		{"X11", "README.md", "The settings `oauth` of an entry in `mcp.json`, which the editor reads for a URL of its own only: use `--header-env`, or the options of a sign-in."},
	} {
		if text := read(t, tt.file); !strings.Contains(strings.Join(strings.Fields(string(text)), " "), tt.text) {
			t.Errorf("%s: %s does not say %q", tt.row, tt.file, tt.text)
		}
	}
}
