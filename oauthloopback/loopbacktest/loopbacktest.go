// Package loopbacktest helps a program to test its own sign-in with oauthloopback:
// it has an authorization server and a browser, both without pages and without a
// user.
//
// The [Server] approves every request, or answers as it is told to. The [Browser]
// is an oauthloopback.Opener that goes where a real one would go, and does on the
// way what real ones are known to do. A test replaces the opener of its program by
// the browser, and the endpoints by those of the server; since the server speaks
// http, the receiver has to have AllowLoopbackHTTP set.
package loopbacktest
