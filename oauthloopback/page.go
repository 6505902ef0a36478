package oauthloopback

import (
	"net/http"
	"strings"
)

// pages are the replies that speak of the sign-in. Their bytes are fixed but for
// the name of the program, which Listen has checked.
type pages struct{ done, reused, late, over, bad reply }

// The replies that know nothing of a sign-in.
var (
	headTooLarge = reply{status: http.StatusRequestHeaderFieldsTooLarge, body: page("", "Too much", "The request is too large.")}
	badRequest   = reply{status: http.StatusBadRequest, body: page("", "Not a request", "This request cannot be answered.")}
	notFound     = reply{status: http.StatusNotFound, body: page("", "Nothing here", "There is no page at this address.")}
	later        = reply{status: http.StatusServiceUnavailable}
	seeOther     = reply{status: http.StatusSeeOther}
)

func pagesFor(app string) pages {
	made := func(status int, title, text string) reply {
		return reply{status: status, body: page(app, title, text)}
	}
	return pages{
		// Neutral: the issuer was not looked at, and there are no tokens yet. So an
		// error has the same page.
		done: made(http.StatusOK, "Response received",
			"The sign-in response was received. You can close this tab and go back to {App}."),
		reused: made(http.StatusGone, "Sign-in stopped",
			"This sign-in link was opened twice. {App} stopped this sign-in, because another program possibly opened the link. Start the sign-in again."),
		late: made(http.StatusGone, "Check the account",
			"This sign-in link was already used, and the sign-in is complete. Another program possibly signed in with a different account. Check the account, or sign out and sign in again."),
		over: made(http.StatusBadRequest, "Sign-in over",
			"This sign-in is over. Go back to {App}."),
		bad: made(http.StatusBadRequest, "Not the expected response",
			"This is not the expected sign-in response. It may be from an older tab. {App} is still waiting for the right one."),
	}
}

// shell is the document of every page. Sizes follow the user's own, long words
// break, and neither the text nor the name of the program takes a direction from
// what is around it.
const shell = `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>{Title}</title>
<style>
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1f; --line: #5b5f6b; }
@media (prefers-color-scheme: dark) { :root { --paper: #16171b; --ink: #e9e9ee; --line: #9aa0ad; } }
body { margin: 0; padding: 12vh 1.5rem 1.5rem; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; border-inline-start: .25rem solid var(--line); padding-inline-start: 1.25rem; overflow-wrap: anywhere; }
h1, p { unicode-bidi: plaintext; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.3; }
p { margin: 0; }
</style>
</head>
<body>
<main>
<h1>{Title}</h1>
<p>{Text}</p>
</main>
</body>
</html>
`

func page(app, title, text string) string {
	text = strings.ReplaceAll(text, "{App}", "<bdi>"+app+"</bdi>")
	return strings.NewReplacer("{Title}", title, "{Text}", text).Replace(shell)
}
