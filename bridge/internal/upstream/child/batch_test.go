package child

import (
	"errors"
	"runtime"
	"testing"
)

// req: P14
func TestBatchRule(t *testing.T) {
	for _, tt := range []struct {
		name, path string
		args       []string
		allow      bool
		want       Reason // reasons: it may be started
	}{
		{"program", `C:\a & b\server.exe`, []string{`"%^&|<>`}, false, reasons},
		{"program with a name like one", `C:\cmd\bat`, nil, false, reasons},
		{"batch file", `C:\npx.cmd`, nil, false, Batch},
		{"batch file of the other kind", `C:\npx.bat`, nil, false, Batch},
		{"batch file in capitals", `C:\NPX.CMD`, nil, false, Batch},
		{"batch file with a dot behind", `C:\npx.cmd.`, nil, false, Batch},
		{"batch file with blanks and dots behind", `C:\npx.cmd . .`, nil, false, Batch},
		{"allowed", `C:\npx.cmd`, []string{"-y", "a package", "--x=(1)!"}, true, reasons},
		{"allowed, and a quote", `C:\npx.cmd`, []string{"-y", `a"b`}, true, BatchArgument},
		{"allowed, and a percent sign", `C:\npx.cmd`, []string{"%PATH%"}, true, BatchArgument},
		{"allowed, and a caret", `C:\npx.cmd`, []string{"a^b"}, true, BatchArgument},
		{"allowed, and an ampersand", `C:\npx.cmd`, []string{"x&calc"}, true, BatchArgument},
		{"allowed, and a bar", `C:\npx.cmd`, []string{"x|calc"}, true, BatchArgument},
		{"allowed, and less", `C:\npx.cmd`, []string{"a<b"}, true, BatchArgument},
		{"allowed, and greater", `C:\npx.cmd`, []string{"a>b"}, true, BatchArgument},
		{"allowed, and a line feed", `C:\npx.cmd`, []string{"a\nb"}, true, BatchArgument},
		{"allowed, and a carriage return", `C:\npx.cmd`, []string{"a\rb"}, true, BatchArgument},
		{"allowed, and a path that the shell reads", `C:\a&b\npx.cmd`, nil, true, BatchArgument},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := reasons
			if bad, ok := errors.AsType[*StartError](checkBatch(tt.path, tt.args, tt.allow)); ok {
				got = bad.Reason
			}
			if got != tt.want {
				t.Errorf("checkBatch(%q, %q, %v) = reason %d, want %d", tt.path, tt.args, tt.allow, got, tt.want)
			}
		})
	}
}

// Only on Windows a name makes a batch file.
//
// req: P14
func TestAllowBatchElsewhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are batch files here")
	}
	for _, allow := range []bool{false, true} {
		p, err := Start(Spec{Path: place(t, "echo.cmd"), Args: []string{"a&b"}, Env: env("exit 3"), AllowBatch: allow, Go: start})
		if err != nil {
			t.Fatalf("Start with AllowBatch %v = %v", allow, err)
		}
		finish(t, p, patience)
		if got, want := p.Exit(), (Exit{Status: 3}); got != want {
			t.Errorf("Exit() = %v, want %v", got, want)
		}
	}
}
