package oauthloopback

import "time"

// The limits of a receiver that a Config can change, and how far.
const (
	defaultCallback    = "/callback"
	defaultTimeout     = 300 * time.Second
	defaultHeadLimit   = 16 << 10 // bytes
	defaultHeadTimeout = 10 * time.Second
	defaultConns       = 16 // connections

	minTimeout, maxTimeout           = time.Second, time.Hour
	minHeadLimit, maxHeadLimit int64 = 1 << 10, 1 << 20 // bytes
	maxHeadTimeout                   = time.Minute
	minConns, maxConns               = 2, 1024 // connections
	maxPort                          = 65535
)

// The limits that no Config changes.
const (
	// maxURL bounds an authorization URL, in bytes.
	maxURL = 8 << 10

	// maxQuery bounds the query of a redirect, in bytes.
	maxQuery = 8 << 10

	// tokenBytes is how many random bytes a start URL holds.
	tokenBytes = 32

	// writeTimeout bounds the time for one response.
	writeTimeout = 5 * time.Second

	// drainBytes and drainTime bound what is read, and for how long, behind a
	// response: a connection that is closed with bytes unread loses the response.
	drainBytes = 64 << 10
	drainTime  = 500 * time.Millisecond

	// idleAge is how old a connection is at least that gives way to a new one,
	// and hurriedAge the least that this age falls to in a flood. It is also what one
	// has that was answered, to read the answer.
	idleAge    = time.Second
	hurriedAge = 15 * time.Millisecond

	// acceptPause is the pause after the system could not accept a connection.
	acceptPause = 50 * time.Millisecond

	// defaultExitWait is how long an opener is waited for.
	defaultExitWait = 5 * time.Second
)
