// Package signin holds tests that sign in at an authorization server that nobody
// here wrote, with the bridge and without, and take pictures of the pages that a
// user sees. It exports nothing.
//
// peer.mjs is the authorization server and an MCP server that wants its tokens,
// and server.mjs an authorization server alone. browser.mjs is what stands in
// BROWSER for a real browser: it starts Chromium with its argument and does what
// a user would do there. Elsewhere the test itself stands there.
package signin
