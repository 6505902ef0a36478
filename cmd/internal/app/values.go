package app

import (
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// The functions below read the arguments of options. Their errors say what the option
// takes.

func parseLevel(s string) (slog.Level, error) {
	switch s {
	case "error":
		return slog.LevelError, nil
	case "warn":
		return slog.LevelWarn, nil
	case "info":
		return slog.LevelInfo, nil
	case "debug":
		return slog.LevelDebug, nil
	}
	return 0, errors.New("takes error, warn, info or debug")
}

// parseDuration reads a duration in Go syntax. A bare number is seconds. No limit
// can be switched off, so it must be above zero.
func parseDuration(s string) (time.Duration, error) {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		s += "s"
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, errors.New("takes a time above zero such as 90s or 2m; a bare number is seconds")
	}
	return d, nil
}

// Units of a size.
const (
	kibibyte = 1 << 10
	mebibyte = 1 << 20
)

// maxSize bounds a size, so that what the bridge makes of it is a number in 32 bits.
const maxSize = 512 * mebibyte

// parseSize reads a number of bytes, or of the unit that stands behind it.
func parseSize(s string) (int, error) {
	number, unit := s, 1
	if n, ok := strings.CutSuffix(s, "KiB"); ok {
		number, unit = n, kibibyte
	} else if n, ok := strings.CutSuffix(s, "MiB"); ok {
		number, unit = n, mebibyte
	}
	n, err := strconv.Atoi(number)
	if err != nil || n <= 0 || n > maxSize/unit {
		return 0, errors.New("takes a size from 1 to 512MiB such as 65536, 512KiB or 64MiB")
	}
	return n * unit, nil
}

// parseVariable reads the name of a variable for the server.
func parseVariable(s string) (string, error) {
	if s == "" || strings.ContainsAny(s, "=\x00") || private(s) {
		return "", errors.New("takes the name of one variable, which is none that the bridge or the editor has for itself")
	}
	return s, nil
}

// parsePath reads the path of a file. No error repeats it.
func parsePath(s string) (string, error) {
	if s == "" {
		return "", errors.New("needs a value")
	}
	return s, nil
}

// parseRedirects reads which redirects are refused beside those to another origin: none or
// all.
func parseRedirects(s string) (none bool, err error) {
	switch s {
	case "same-origin":
		return false, nil
	case "none":
		return true, nil
	}
	return false, errors.New("takes same-origin or none")
}

// parseEra reads which servers are taken.
func parseEra(s string) (mcpwire.Eras, error) {
	switch s {
	case "auto":
		return mcpwire.AnyEra, nil
	case "modern":
		return mcpwire.ModernEra, nil
	case "legacy":
		return mcpwire.LegacyEra, nil
	}
	return 0, errors.New("takes auto, modern or legacy")
}

// checkDiscover takes how server/discover of the editor is answered.
func checkDiscover(s string) error {
	switch s {
	case "refuse":
		return nil
	case "answer":
		return errors.New("answer does not work yet: it is for an editor that speaks MCP 2026-07-28 itself")
	}
	return errors.New("takes refuse or answer")
}
