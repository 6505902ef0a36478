//go:build !unix

package stdio

import "io"

// patient returns in: a file has no mode here that another process can change.
func patient(in io.Reader) io.Reader { return in }
