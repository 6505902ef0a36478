package streamhttp

import (
	"errors"
	"net"
	"net/http"
	"testing"
	"time"
)

// An attempt counts as sent from the first byte that the server may have read, and what an
// earlier attempt has sent stays so: one that followed a redirect is not begun anew.
//
// req: U10
func TestU10WhatCountsAsSent(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	refused := errors.New("refused")
	graceful := errors.New("http2: Transport: cannot retry err [http2: Transport received Server's graceful shutdown GOAWAY] after Request.Body was written; define Request.GetBody to avoid this error")
	connect := func(x *exchange) *conn {
		c := &conn{Conn: near}
		c.written.Store(100) // by requests before this one
		x.reach.got(c)
		return c
	}
	for _, tt := range []struct {
		name string
		do   func(x *exchange)
		err  error
		want bool
	}{
		{"no connection", func(*exchange) {}, refused, false},
		{"connection, nothing written", func(x *exchange) { connect(x) }, refused, false},
		{"connection, one byte written", func(x *exchange) { connect(x).written.Add(1) }, refused, true},
		{"redirect, then no connection", func(x *exchange) { connect(x).written.Add(1); x.begin(false) }, refused, true},
		{"two redirects, then no connection", func(x *exchange) { connect(x); x.begin(false); x.begin(false) }, refused, true},
		{"redirect, then nothing written", func(x *exchange) { connect(x); x.begin(false); connect(x) }, refused, true},
		{"redirect, then unread", func(x *exchange) { connect(x); x.begin(false); x.reach.connected, x.reach.shared = true, true }, graceful, true},
		{"HTTP/2, no head", func(x *exchange) { x.reach.connected, x.reach.shared = true, true }, refused, false},
		{"HTTP/2, head", func(x *exchange) { x.reach.connected, x.reach.shared, x.reach.wroteHead = true, true, true }, refused, true},
		{"HTTP/2, head that was not read", func(x *exchange) { x.reach.connected, x.reach.shared, x.reach.wroteHead = true, true, true }, graceful, false},
		{"unknown connection, head", func(x *exchange) { x.reach.got(near); x.reach.wroteHead = true }, refused, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := &exchange{}
			x.begin(false)
			tt.do(x)
			if got := x.reach.failure(tt.err).Sent; got != tt.want {
				t.Errorf("Sent = %t, want %t", got, tt.want)
			}
		})
	}
}

// A wait is what the server says, in either form, and five minutes at most, however far
// away the end of it is.
//
// req: N03
func TestT165RetryAfter(t *testing.T) {
	now := time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "7": 7 * time.Second, "300": 300 * time.Second, "301": maxRetryAfter,
		"4294967296": maxRetryAfter, "99999999999999999999999": maxRetryAfter,
		"-1": 0, "+7": 0, "7.5": 0, "7s": 0, "soon": 0, "0x7": 0,
		"Tue, 28 Jul 2026 12:00:07 GMT": 7 * time.Second, "Tue, 28 Jul 2026 11:59:59 GMT": 0, "Tue, 28 Jul 9999 12:00:00 GMT": maxRetryAfter,
	} {
		if got := retryAfter(now, http.Header{"Retry-After": {text}}); got != want {
			t.Errorf("retryAfter(%q) = %v, want %v", text, got, want)
		}
	}
}
