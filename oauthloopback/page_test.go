package oauthloopback

import (
	"strings"
	"testing"
)

// Each page says what happened and what to do, with the name of the program where it
// helps.
//
// req: S09, S15, S16
func TestPageTexts(t *testing.T) {
	const app = "<bdi>Test App</bdi>"
	p := pagesFor("Test App")
	for name, page := range map[string]struct {
		got  reply
		want string
	}{
		"done": {p.done, "The sign-in response was received. You can close this tab and go back to " + app + "."},
		"reused": {p.reused, "This sign-in link was opened twice. " + app + " stopped this sign-in, because another program possibly opened the link. " +
			"Start the sign-in again."},
		"late": {p.late, "This sign-in link was already used, and the sign-in is complete. Another program possibly signed in with a different account. " +
			"Check the account, or sign out and sign in again."},
		"over":        {p.over, "This sign-in is over. Go back to " + app + "."},
		"bad":         {p.bad, "This is not the expected sign-in response. It may be from an older tab. " + app + " is still waiting for the right one."},
		"not found":   {notFound, "There is no page at this address."},
		"bad request": {badRequest, "This request cannot be answered."},
		"too large":   {headTooLarge, "The request is too large."},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(page.got.body, "<p>"+page.want+"</p>") {
				t.Errorf("page %q, want the text %q", page.got.body, page.want)
			}
			wantPlain(t, page.got.body)
		})
	}
}

// wantPlain checks that a page is readable for everybody, and neither loads nor runs
// anything.
func wantPlain(t *testing.T, page string) {
	t.Helper()
	for _, want := range []string{
		"<!doctype html>\n<html lang=\"en\" dir=\"ltr\">", "<meta charset=\"utf-8\">", "content=\"width=device-width, initial-scale=1\"",
		"content=\"light dark\"", "prefers-color-scheme: dark",
	} {
		if strings.Count(page, want) != 1 {
			t.Errorf("%d of %q in the page, want 1", strings.Count(page, want), want)
		}
	}
	for _, never := range []string{"<script", "<link", "<img", "<form", "<iframe", "<a ", "://", "url(", "@import", "onload", "onclick", "javascript:", "http-equiv", "{App}", "{Text}", "{Title}"} {
		if strings.Contains(page, never) {
			t.Errorf("%q in the page", never)
		}
	}
}
