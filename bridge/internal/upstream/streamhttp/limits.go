package streamhttp

import "time"

// Limits of a connection.
const (
	tcpIdle     = 30 * time.Second // before the first keep-alive probe of TCP
	tcpInterval = 15 * time.Second // between two of them
	tcpProbes   = 4                // unanswered ones that end a connection
	pingAfter   = 30 * time.Second // of silence on an HTTP/2 connection
	pingAnswer  = 15 * time.Second // that a ping may take
	idleConn    = 90 * time.Second // that an unused connection is kept
	idleConns   = 256              // unused connections that are kept
	headerBytes = 128 << 10        // of the head of a response
	giveUp      = time.Second      // that net/http may take to give up a connection that is closed
)

// Limits of an exchange.
const (
	maxRedirects  = 5                      // hops (U07)
	maxRetryAfter = 300 * time.Second      // longest wait that a server can ask for (T165)
	badEvents     = 10                     // in a row that end a response
	leftover      = 16 << 10               // bytes that are read behind what is wanted, to use the connection again
	leftoverTime  = 100 * time.Millisecond // that those may take
)

// Limits of a session with an older server.
const (
	messageTime = 30 * time.Second       // that a message may take which no response answers
	messageTurn = 5 * time.Second        // that requests wait for the message before them
	earsTime    = 2 * time.Second        // that requests wait for the stream that belongs to none
	maxMessages = 64                     // that wait before streams are not read on
	unsentPause = 500 * time.Millisecond // before a message that did not reach the server goes out again
	goodbye     = time.Second            // that the end of a session may take
	endpointMax = 8 << 10                // bytes before the end of the event that says where to send messages
)

// Limits of streams of an older server that are opened again.
const (
	firstPause = 500 * time.Millisecond // before that, unless the server says how long
	maxPause   = 30 * time.Second       // longest, if it never lives
	leastRetry = 250 * time.Millisecond // shortest that a server can ask for
	steady     = 10 * time.Second       // that a stream lives which was worth opening
)

// Limits of memory.
const (
	smallBytes   = 64 << 10 // of a message that come without asking for room
	bigResponses = 2        // messages above that which may be on their way at a time

	// stalled is how long such a message may not go on while others wait for its place.
	stalled = 30 * time.Second

	// streamBytes of a response over HTTP/2 may be here before they are read: those of 256
	// responses that wait for room, or for the client, are 128 MiB. Of one response, half a
	// MiB comes in each round trip.
	streamBytes = 512 << 10
)

// Limits of a stream of notifications (U09).
const (
	leastIdle  = 120 * time.Second // that one which carries comments may be silent
	idleFactor = 3                 // times the longest silence that it had
)

// Limits of cookies.
const (
	maxCookies     = 32      // that are kept
	maxCookieBytes = 4 << 10 // of one, its name and value
)
