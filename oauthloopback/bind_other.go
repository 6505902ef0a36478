//go:build !unix && !windows

package oauthloopback

import (
	"errors"
	"syscall"
)

// exclusive fails: nothing is known of how ports are shared here.
func exclusive(string, string, syscall.RawConn) error { return errors.ErrUnsupported }

func addressInUse(error) bool { return false }
