//go:build !unix && !windows

package child

import (
	"os"
	"syscall"
)

func startErrors(write func(name, text string, mode os.FileMode) string) []startErrorCase {
	return []startErrorCase{{"any program", write("program", "text", 0o755), Other}}
}

func grandchildAttributes(string) *syscall.SysProcAttr { return nil }
