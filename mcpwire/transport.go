package mcpwire

// A Transport is how requests reach the upstream, and its messages the session.
type Transport uint8

// The transports.
const (
	// Stdio is one line for each message, both ways, in one order.
	Stdio Transport = iota
	// HTTP is one POST for each request, which carries no other message upstream, and a
	// stream of its own for what answers it (T190).
	HTTP
)

// A Header is one header of an HTTP request. Names are compared without case. Values
// hold nothing but visible ASCII and spaces, neither first nor last, and are not empty.
type Header struct {
	Name, Value string
}

// Headers are what the content of a request says about it outside its body (T195), each
// once. They stay valid.
type Headers []Header

// overHTTP reports whether each request has a response stream of its own.
func (c *core) overHTTP() bool { return c.options.Transport == HTTP }

// abandon takes the request ex back, or ends it: by a message or, where no message can go
// upstream, by the end of its response stream (T150). reason is JSON, and may be absent.
func (c *core) abandon(ex Exchange, reason []byte, out *Steps) {
	if !c.overHTTP() || c.legacy { // to an older one, a stream that is closed tells nothing (L10)
		out.cancelUpstream(ex, reason)
	}
	if c.overHTTP() {
		out.Close = append(out.Close, ex)
	}
}

// abandonRequest abandons what the request of s has upstream. No client cancels
// initialize: it is left alone.
func (c *core) abandonRequest(s *slot, reason []byte, out *Steps) {
	if s.probe != 0 {
		c.abandon(s.probe, reason, out)
	}
	switch {
	case s.method != &opening:
		c.abandon(s.upstream, reason, out)
	case c.overHTTP():
		out.Close = append(out.Close, s.upstream)
	}
}

// answered says that the upstream has answered the request ex: over HTTP nothing more is
// wanted of its stream (T202).
func (c *core) answered(ex Exchange, out *Steps) {
	if c.overHTTP() {
		out.Close = append(out.Close, ex)
	}
}

// send sends a request without headers of its own.
func (c *core) send(f Frame, method string, out *Steps) {
	if c.overHTTP() {
		f.Headers = headers(method)
	}
	out.ToUpstream = append(out.ToUpstream, f)
}
