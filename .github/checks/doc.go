// Package checks holds the rules of this repository that the compiler does not know, as tests: who may
// import what, what each module exports, which rows of the threat model a test proves, and the like.
// They run with every other test by go test work and need git, the go command and no network.
package checks
