//go:build unix

package child

import (
	"os"
	"syscall"
)

func startErrors(write func(name, text string, mode os.FileMode) string) []startErrorCase {
	return []startErrorCase{
		{"no such program in PATH", "no-such-program-of-trestle", NotFound},
		{"no such file", "/no/such/file", NotFound},
		{"a command line is no program name", "sh -c true", Blank},
		{"a command line with a path", "/bin/sh -c true", Blank},
		{"the address of a server", "https://example.com/mcp", URL},
		{"the address of a server in capitals", "HTTP://LOCALHOST:3000", URL},
		{"a path in the home folder", "~/no such program", Tilde},
		{"interpreter of a script is missing", write("interpreter", "#!/no/such/interpreter\n", 0o755), Interpreter},
		{"interpreter of a script ends with a carriage return", write("crlf", "#!/bin/sh\r\n", 0o755), Interpreter},
		{"may not be run", write("data", "text", 0o644), NotExecutable},
		{"no known format", write("format", "text", 0o755), NotExecutable},
		{"folder", "/", NotExecutable},
	}
}

func grandchildAttributes(r string) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: r == "sleep outside"}
}
