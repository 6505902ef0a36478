//go:build !unix

package app

// keepInherited has nothing to do: handles go to no process that is not meant.
func keepInherited() {}
