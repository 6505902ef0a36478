package signin

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The page about the bridge names the limits that they are.
func TestDocumentedLimits(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		fmt.Sprintf("| %.0f s; %.0f s | none |", requestTime.Seconds(), prepareTime.Seconds()),
		fmt.Sprintf("| %d MiB; %d KiB; %d KiB | none |", maxMetadata>>20, maxAnswer>>10, maxToken>>10),
		fmt.Sprintf("| %d, %d KiB | none |", maxScopes, maxScopeBytes>>10),
		fmt.Sprintf("| %.0f s | none |", cooldown.Seconds()),
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page has no row with %q", want)
		}
	}
}
