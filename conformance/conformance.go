// Package conformance tests a bridge from outside: it starts a command, plays
// the editor in front of it and a server behind it, and looks at what passes on
// both wires. It knows nothing of how a bridge is made.
//
// The tests of this package play recorded editors. The package fixture is the
// server behind the bridge, and peers runs clients and servers that nobody here
// wrote.
package conformance
