package child

import (
	"os"
	"strings"
	"syscall"
)

func startErrors(write func(name, text string, mode os.FileMode) string) []startErrorCase {
	return []startErrorCase{
		{"no such program in PATH", "no-such-program-of-trestle", NotFound},
		{"no such file", `C:\no\such\file.exe`, NotFound},
		{"batch file", write("x.cmd", "echo x", 0o755), Batch},
		{"batch file by another name", write("y.BAT", "echo x", 0o755), Batch},
		{"batch file whose extension the system adds", strings.TrimSuffix(write("w.cmd", "echo x", 0o755), ".cmd"), Batch},
		{"batch file with a dot behind", write("v.cmd", "echo x", 0o755) + ".", Batch},
		{"batch file with a blank behind", write("u.cmd", "echo x", 0o755) + " ", Batch},
		{"batch file with blanks and dots behind", write("t.cmd", "echo x", 0o755) + " . .", Batch},
	}
}

func grandchildAttributes(string) *syscall.SysProcAttr { return nil }
