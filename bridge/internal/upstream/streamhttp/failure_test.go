package streamhttp

import (
	"errors"
	"net"
	"testing"
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
