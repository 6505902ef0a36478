//go:build !unix && !windows

package oauthloopback

import "context"

// open fails: nothing is known of browsers here.
func (SystemOpener) open(context.Context, string) error { return notStarted() }
