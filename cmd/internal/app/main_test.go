package app

import (
	"os"
	"testing"
)

// browserVariable makes the test binary the browser of a person.
const browserVariable = "TRESTLE_TEST_BROWSER"

func TestMain(m *testing.M) {
	if report := os.Getenv(browserVariable); report != "" {
		os.Exit(browse(report))
	}
	os.Exit(m.Run())
}
