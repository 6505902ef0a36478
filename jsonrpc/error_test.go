package jsonrpc

import (
	"strings"
	"testing"
)

// Texts of errors are constant: they never hold what the peer sent.
func TestErrorTexts(t *testing.T) {
	seen := map[string]bool{}
	for f := FaultSyntax; f <= FaultTooDeep; f++ {
		text := (&LineError{Fault: f, ID: []byte(`"secret"`)}).Error()
		if seen[text] || !strings.HasPrefix(text, "jsonrpc: ") || strings.Contains(text, "secret") {
			t.Errorf("fault %d has the text %q", f, text)
		}
		seen[text] = true
	}
	if got := (&LineError{}).Error(); got != "jsonrpc: bad line" {
		t.Errorf("unknown fault has the text %q", got)
	}
}
