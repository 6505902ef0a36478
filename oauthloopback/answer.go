package oauthloopback

import (
	"net/http"
	"strings"
)

// startPath is where start URLs lie.
const startPath = "/start/"

// answer decides what a complete head is answered with, and what it does to the
// wait. The numbers are those of the table in the README. What a request says is
// never repeated.
func (r *Receiver) answer(head *http.Request) reply {
	path, query, _ := strings.Cut(head.RequestURI, "?") // raw: a path that needs cleaning is not ours
	token, start := strings.CutPrefix(head.RequestURI, startPath)
	switch {
	case !r.named(head):
		return badRequest // 4
	case embedded(head):
		return notFound // 4a
	case start:
		out := r.answerStart(head, token)
		if out.event != 0 { // told before the answer, so that events are in the order of the requests
			r.settings.event(Event{Kind: out.event})
		}
		return out
	case path == r.settings.callback:
		return r.answerCallback(head.Method, query)
	}
	return notFound // 20
}

// named says that the request is for this receiver under its own name, and not for
// a proxy. A page of another host whose name was made to lead here (DNS rebinding)
// asks for that one.
func (r *Receiver) named(head *http.Request) bool {
	absolute := !strings.HasPrefix(head.RequestURI, "/") && head.RequestURI != "*"
	if absolute || head.Method == http.MethodConnect {
		return false
	}
	return head.Host == r.host || head.Host+":80" == r.host
}

// embedded says that some page loads this as an image, a frame or the like.
func embedded(head *http.Request) bool {
	for _, destination := range head.Header["Sec-Fetch-Dest"] {
		if destination != "document" {
			return true
		}
	}
	return false
}

// prefetch says that the browser asks before the user does.
func prefetch(head *http.Request) bool {
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Moz"} {
		for _, purpose := range head.Header[name] {
			purpose = strings.ToLower(purpose)
			if strings.Contains(purpose, "prefetch") || strings.Contains(purpose, "prerender") {
				return true
			}
		}
	}
	return false
}

func (r *Receiver) answerStart(head *http.Request, token string) reply {
	pages := r.settings.pages
	r.mu.Lock()
	defer r.mu.Unlock()
	r.expireLocked()
	s := &r.signIn
	switch {
	case !s.startOn, !same(token, s.token.Expose()):
		return notFound // 5, 6: a guess ends nothing
	case head.Method != http.MethodGet:
		return badRequest // 7
	case prefetch(head):
		return later // 8
	case s.phase == waiting && !s.startUsed:
		s.startUsed = true
		return seeOther.to(s.target).with(StartUsed) // 10
	case s.phase == waiting:
		s.end(&Error{Reason: ReasonStartReused})
		return pages.reused.then(func() { close(r.ended) }) // 11
	case s.reused():
		return pages.reused // 9a: perhaps this one is the user's
	case s.phase == taken && s.startUsed && s.redirect.Code() != "":
		return pages.late.with(LateStart) // 12
	}
	return notFound // 9, 13
}

func (r *Receiver) answerCallback(method, query string) reply {
	pages := r.settings.pages
	if method != http.MethodGet {
		return badRequest // 14
	}
	redirect, good := readRedirect(query, r.settings.state)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.expireLocked()
	s := &r.signIn
	switch {
	case s.phase == taken && same(query, s.redirect.value().query):
		return pages.done // 15
	case s.phase != waiting:
		return pages.over // 15a
	case !good:
		return pages.bad // 16, 17
	}
	s.take(redirect)
	return pages.done.then(func() { close(r.ended) }) // 18, 19
}
