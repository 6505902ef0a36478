//go:build unix && !linux

package child

// tied is empty: nothing ends with this process.
const tied = ""
