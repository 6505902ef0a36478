//go:build !windows

package halt

import "os"

// cancel reports false: a file without deadlines is one that nothing can interrupt.
func cancel(*os.File) (undo func(), ok bool) { return func() {}, false }
