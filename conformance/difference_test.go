package conformance

import (
	"testing"

	"github.com/trestle-mcp/trestle/conformance/internal/compare"
)

// absent is a value of a [difference] that is no JSON.
const absent = compare.Absent

// differences compares two lines as JSON values.
func differences(t *testing.T, recorded, got []byte) []difference {
	t.Helper()
	a, err := compare.Flatten(recorded)
	if err != nil {
		t.Fatalf("line %s: %v", recorded, err)
	}
	b, err := compare.Flatten(got)
	if err != nil {
		t.Fatalf("line %s: %v", got, err)
	}
	var all []difference
	for _, d := range compare.Differences(a, b) {
		all = append(all, difference{Path: d.Path, Recorded: d.A, Got: d.B})
	}
	return all
}
