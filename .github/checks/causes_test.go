package checks

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// CAUSES.md says what mcpwire's table of causes says.
func TestCauses(t *testing.T) {
	var page bytes.Buffer
	page.WriteString(`# Causes

An error that the bridge itself makes has a fixed text, a code, and one of these words in ` + "`data.cause`" + `. An error
that comes from the server has none of them: it reaches the editor as it is, but for -32042, which becomes
` + "`url_elicitation_error`" + `. Where one question of the server is meant, ` + "`data.detail`" + ` holds its key, unless that is long.
Where a server at a URL has answered with a status instead, ` + "`data.status`" + ` is its number, which the text names, too, and
` + "`data.retryAfter`" + ` how many seconds the server wants to be left alone.

The log has the same words, in ` + "`cause`" + ` and ` + "`outcome`" + `, but for the ending ` + "`_failed`" + `: there it is ` + "`_error`" + `, since
the editor takes "fail" in a log for a sign of a sandbox that is in the way.

This page is made from the table in [mcpwire/cause.go](mcpwire/cause.go).

| cause | code | text | what you can do |
|---|---|---|---|
`)
	for _, c := range mcpwire.Causes() {
		fmt.Fprintf(&page, "| `%s` | %d | %s | %s |\n", c, c.Code(), c.Text(), c.Help())
	}
	same(t, "CAUSES.md", page.Bytes())
}
