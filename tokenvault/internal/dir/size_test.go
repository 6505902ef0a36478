package dir

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// A file is read up to its limit, and not one byte more.
func TestThreat14SizeOfAFile(t *testing.T) {
	tests := []struct {
		name string
		size int64
		good bool
	}{
		{"empty", 0, true},
		{"the largest", MaxFile, true},
		{"one more", MaxFile + 1, false},
		{"10 GiB of nothing", 10 << 30, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := newDir(t)
			if err := d.Touch(record); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(filepath.Join(d.path, record), test.size); err != nil {
				t.Skipf("no such file can be made here: %v", err)
			}
			var got []byte
			var err error
			allocated := testing.AllocsPerRun(1, func() { got, err = d.Read(record) })
			if test.good {
				if err != nil || int64(len(got)) != test.size {
					t.Errorf("%d bytes, %v, want %d", len(got), err, test.size)
				}
				return
			}
			if !errors.Is(err, fault.ErrDamaged) || got != nil {
				t.Errorf("%d bytes, %v, want ErrDamaged", len(got), err)
			}
			if allocated > 100 {
				t.Errorf("%v allocations for a file that is not read", allocated)
			}
		})
	}
}
