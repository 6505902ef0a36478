package main

import (
	"flag"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"mcp-bridge-vscode": main,
		"editor":            editor,
		"fixture":           fixture,
		// Servers whose names are subcommands and options of ours.
		"demo":      demoServer,
		"logout":    demoServer,
		"status":    demoServer,
		"check":     demoServer,
		"--help":    demoServer,
		"--version": demoServer,
	})
}

// The scripts run the real binary with real children.
//
// req: P01 P03 P06 P12 P13 P15 P16 P17 P18 P19 U01 U06 U14
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"gone": gone},
		Setup: func(env *testscript.Env) error {
			// The race detector would hold each process for a second at its end.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			return nil
		},
	})
}
