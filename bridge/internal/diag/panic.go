package diag

import (
	"context"
	"log/slog"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Recovered writes the line for a panic that the caller has just recovered, while
// its deferred function still runs. It names the place, never the text of the
// panic, which can hold anything.
func Recovered(log *slog.Logger) {
	log.LogAttrs(context.Background(), slog.LevelError,
		"a defect of the bridge ends the session; please report the place", at(origin()))
}

// origin returns the file and line of the panic: the first frame outside the
// runtime below its panic functions.
func origin() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	panicking := false
	for {
		f, more := frames.Next()
		inRuntime := strings.HasPrefix(f.Function, "runtime.")
		if panicking && !inRuntime {
			return filepath.Base(f.File) + ":" + strconv.Itoa(f.Line)
		}
		panicking = panicking || f.Function == "runtime.gopanic"
		if !more {
			return "unknown"
		}
	}
}
