package app

import (
	"context"
	"io"
	"log/slog"
)

// libraryLog returns a writer for the log package, to which libraries write. Such a
// line can hold a header or a URL: only the fact that there was one is logged.
func libraryLog(l *slog.Logger) io.Writer { return libraryWriter{l} }

type libraryWriter struct {
	log *slog.Logger
}

func (w libraryWriter) Write(p []byte) (int, error) {
	w.log.LogAttrs(context.Background(), slog.LevelDebug, "a library wrote a log line, which is not shown")
	return len(p), nil
}
