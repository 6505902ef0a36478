// Package matrix runs every revision of the protocol in front of every revision behind
// the bridge, and looks at each feature: what the table of mcpwire calls impossible fails
// as it says, and everything else works.
package matrix
