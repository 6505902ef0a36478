// Package vscode plays scenarios in a real editor, with the bridge and a server of
// 2026-07-28 behind it. It exports nothing.
//
// The driver, which runs on Node, starts the editor and a browser that shows it, and
// looks at what the page shows and what passes on both wires. The README of this
// directory says how to install and run it.
package vscode
