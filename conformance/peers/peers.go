// Package peers holds clients and servers that nobody here wrote, and tests that
// put a bridge between them. It exports nothing: the program in cmd/peers runs
// one session by hand.
//
// package.json pins the peers that run on Node, the module in goserver the one
// for Go. What they are is in the README of this directory.
package peers
