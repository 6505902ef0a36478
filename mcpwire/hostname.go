package mcpwire

import "strings"

// The longest name of a host, and the longest label of one, in bytes (RFC 1035,
// section 2.3.4).
const (
	maxHostName = 253
	maxLabel    = 63
)

// isHostName reports whether s is the name of a host: labels of letters, digits and
// hyphens with dots between, no hyphen at the end of one.
func isHostName(s string) bool {
	if len(s) > maxHostName {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > maxLabel || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range []byte(label) {
			if !isAlphanumeric(c) && c != '-' {
				return false
			}
		}
	}
	return true
}
