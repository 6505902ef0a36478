package app

import (
	"io"
	"sync"
)

// lines is a stderr to which several write, each a line at a time.
type lines struct {
	mu sync.Mutex // guards w
	w  io.Writer
}

// Write writes a line.
func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(line)
}
