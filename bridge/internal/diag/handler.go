// Package diag turns what a person should know into lines of a log: records, events
// of a session, a recovered panic. The attributes that a line can have are a closed
// set, so no payload and no secret can end up in one.
package diag

import (
	"context"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"unicode"
)

// Tag starts each line.
const Tag = "mcp-bridge-vscode"

// A Handler writes each record as one line, in one Write:
//
//	mcp-bridge-vscode: LEVEL text key=value…
//
// Attributes whose key is not of the closed set, or whose value is not a plain
// string, number, bool or duration, are left out.
type Handler struct {
	level   slog.Level
	out     *output
	attrs   []byte // of WithAttrs, as they stand in a line
	grouped bool   // inside WithGroup, where no key is of the set
}

// output is what the handlers of one NewHandler share.
type output struct {
	mu   sync.Mutex // guards the fields below
	w    io.Writer
	line []byte
}

// NewHandler returns a Handler that writes records of at least level to w.
func NewHandler(w io.Writer, level slog.Level) *Handler {
	return &Handler{level: level, out: &output{w: w}}
}

// Enabled reports whether the handler writes records of level.
func (h *Handler) Enabled(_ context.Context, level slog.Level) bool { return level >= h.level }

// Handle writes r.
func (h *Handler) Handle(_ context.Context, r slog.Record) error {
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	b := append(h.out.line[:0], Tag+": "...)
	b = append(append(b, r.Level.String()...), ' ')
	b = appendText(b, r.Message)
	b = append(b, h.attrs...)
	r.Attrs(func(a slog.Attr) bool {
		if !h.grouped {
			b = appendAttr(b, a)
		}
		return true
	})
	h.out.line = append(b, '\n')
	_, err := h.out.w.Write(h.out.line)
	return err
}

// WithAttrs returns a handler that adds attrs to each line.
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	if h.grouped {
		return h
	}
	with := *h
	with.attrs = append([]byte(nil), h.attrs...)
	for _, a := range attrs {
		with.attrs = appendAttr(with.attrs, a)
	}
	return &with
}

// WithGroup returns a handler that writes no attributes beyond those h has: a key
// in a group is not one of the set.
func (h *Handler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	with := *h
	with.grouped = true
	return &with
}

// appendText appends s, which is one of our texts, so that it stays on one line.
func appendText(b []byte, s string) []byte {
	for _, r := range s {
		if unicode.IsControl(r) {
			r = ' '
		}
		b = append(b, string(r)...)
	}
	return b
}

func appendAttr(b []byte, a slog.Attr) []byte {
	if !known[key(a.Key)] {
		return b
	}
	var text string
	switch a.Value.Kind() {
	case slog.KindString, slog.KindInt64, slog.KindUint64, slog.KindBool, slog.KindDuration:
		text = a.Value.String()
	default:
		return b
	}
	b = append(append(append(b, ' '), a.Key...), '=')
	if plain(text) {
		return append(b, text...)
	}
	return strconv.AppendQuoteToASCII(b, text)
}

// plain reports whether s can stand in a line without quotes.
func plain(s string) bool {
	for _, r := range s {
		if r <= ' ' || r >= 0x7f || r == '"' || r == '=' {
			return false
		}
	}
	return s != ""
}
