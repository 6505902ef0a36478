//go:build !unix && !windows

package child

import (
	"os"
	"syscall"
	"testing"
)

func startErrors(write func(name, text string, mode os.FileMode) string) []startErrorCase {
	return []startErrorCase{{"any program", write("program", "text", 0o755), Other}}
}

func grandchildAttributes(string) *syscall.SysProcAttr { return nil }

const (
	pipeful   = 1
	stderrful = 1 << 10
)

func place(t *testing.T, _ string) string {
	t.Skip("no child is started here")
	return ""
}
