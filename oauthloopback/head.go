package oauthloopback

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

// headLimits bound the head of a request.
type headLimits struct {
	size int64 // bytes
	time time.Duration
}

// Why there is no head.
var (
	errHeadSize   = errors.New("head too large")
	errHeadAbsent = errors.New("head not complete")
	errHeadForm   = errors.New("not a head of HTTP/1")
)

// readHead reads the head of one request, and no body. http.Server is not used:
// it waits for a body that it was promised, allows more than it is told, and
// answers some requests by itself.
func readHead(from io.Reader, limits headLimits) (*http.Request, error) {
	in := bufio.NewReader(io.LimitReader(from, limits.size))
	// What is no HTTP at all, such as a TLS hello, need not have a line end to wait
	// for.
	if first, err := in.Peek(1); err == nil && !token(first[0]) {
		return nil, errHeadForm
	}
	var text []byte
	for {
		line, err := in.ReadBytes('\n')
		text = append(text, line...)
		if err != nil && int64(len(text)) == limits.size {
			return nil, errHeadSize
		}
		if err != nil {
			return nil, errHeadAbsent
		}
		if len(bytes.TrimRight(line, "\r\n")) == 0 {
			break
		}
	}
	head, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(text)))
	if err != nil || head.ProtoMajor != 1 {
		return nil, errHeadForm
	}
	return head, nil
}

// token says that a method can begin with b.
func token(b byte) bool {
	return '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z' || strings.IndexByte("!#$%&'*+-.^_`|~", b) >= 0
}
