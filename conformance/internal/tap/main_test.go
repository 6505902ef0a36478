package tap

import (
	"fmt"
	"io"
	"os"
	"testing"
)

const childMode = "TAP_TEST_CHILD"

// The test binary is also the command behind the tap.
func TestMain(m *testing.M) {
	switch os.Getenv(childMode) {
	case "":
		os.Exit(m.Run())
	case "echo":
		io.Copy(os.Stdout, os.Stdin)
		fmt.Print("no line ending")
		os.Exit(3)
	case "wait":
		fmt.Println("ready")
		io.Copy(io.Discard, os.Stdin)
	}
}
