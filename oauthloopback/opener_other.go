//go:build !unix && !windows

package oauthloopback

import "context"

// open fails: nothing is known of browsers here.
func (o SystemOpener) open(context.Context, string) error {
	_ = o.exitWait()
	return notStarted()
}
