// Package signin holds a test that signs in with a real browser at an
// authorization server that nobody here wrote, and takes pictures of the pages
// that a user sees. It exports nothing.
//
// server.mjs is the authorization server, browser.mjs what stands in BROWSER: it
// starts Chromium with its argument and does what a user would do there.
package signin
