//go:build unix

package oauthloopback

import (
	"errors"
	"syscall"
)

// exclusive leaves a socket as Go makes it. With SO_REUSEADDR, which Go sets, no
// other program can listen on the port while this one does; without it, the
// connections of one sign-in would keep the port from the next for minutes.
func exclusive(string, string, syscall.RawConn) error { return nil }

func addressInUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }
