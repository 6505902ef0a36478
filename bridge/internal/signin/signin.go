// Package signin signs in to a server at a URL, by the authorization of MCP 2026-07-28:
// it finds out who gives tokens for the server, makes itself known there, asks the user
// once, and keeps what it gets.
//
// What servers say is not believed further than the protocol asks: metadata must cover the
// server, an authorization server must call itself by the name that it was found by, and
// nothing of what they write reaches a text of the bridge but codes of a fixed alphabet.
package signin
