//go:build !unix

package main

import "os"

// passedOn is what there is. A process that cannot take it is stopped by the end
// of its input.
var passedOn = []os.Signal{os.Interrupt}
