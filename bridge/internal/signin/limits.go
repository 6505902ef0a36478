package signin

import "time"

// Limits of what is read from servers.
const (
	maxChallenge  = 8 << 10              // bytes of all WWW-Authenticate lines of a response
	maxMetadata   = 1 << 20              // bytes of a metadata document
	maxAnswer     = 256 << 10            // bytes of the answer to a registration or a token request
	maxScopes     = 64                   // that are asked for
	maxScopeBytes = 4 << 10              // of all of them, with the blanks between
	maxURL        = 8 << 10              // bytes of a URL that a server names
	maxErrorCode  = 64                   // bytes of an error code of OAuth
	maxClientID   = 2048                 // bytes
	maxToken      = 16 << 10             // bytes of a token
	maxExpiry     = 366 * 24 * time.Hour // that a token is taken to be good for
)

// Limits of time.
const (
	requestTime  = 15 * time.Second // of one request
	prepareTime  = 45 * time.Second // of all requests before the user is asked
	metadataKept = 10 * time.Minute // that the metadata of an authorization server is good for
)

// Limits of repetition.
const (
	cooldown      = 60 * time.Second // after a question that came to nothing, and for a server that asks again
	refreshEarly  = 30 * time.Second // before a token expires, give or take refreshSpread
	refreshSpread = 10 * time.Second // so that processes do not all come at once
	refreshFloor  = 10 * time.Second // that a token is not refreshed after it was given
	retryLeast    = time.Second      // that what could not be found out is not looked for again, doubled up to retryMost
	retryMost     = 60 * time.Second
	lockPoll      = 100 * time.Millisecond // between two looks at the lock of a port
)
