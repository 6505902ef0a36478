package signin

import (
	"slices"
	"strings"
	"testing"
)

// A call that needs more than was asked for before leads to a question with the URL. When the
// person has been there, the call goes on. It is the same client, it asks for everything
// together, and the next start has it all.
//
// req: S05, S18
func TestSignInPeerStepUp(t *testing.T) {
	p := newPeer(t)
	who := newPerson(t, p)
	f := who.start().open()
	m := p.mark()
	_, answer := f.calling("write")
	q := f.asks()
	if q.Method != "elicitation/create" || q.Params.Mode != "url" || !strings.HasPrefix(q.Params.URL, p.Issuer+"/auth?") || q.Params.ElicitationID == "" {
		t.Fatalf("question %+v, want one with the authorization URL", q)
	}
	f.answer(q, "accept")
	who.visits(q.Params.URL)
	if got := answer().text(); got != "written" {
		t.Errorf("answer %s", got)
	}
	f.unasked()
	f.close()
	told := func(line string) bool {
		return strings.Contains(line, "notifications/elicitation/complete") && strings.Contains(line, q.Params.ElicitationID)
	}
	if !slices.ContainsFunc(f.told, told) {
		t.Errorf("the editor was told %q, not that the question is over", f.told)
	}
	if urls := signInURLs(f.log.String()); len(urls) != 2 || urls[1] != q.Params.URL {
		t.Errorf("shown %q, want the first and %s", urls, q.Params.URL)
	}
	p.wants(t, m, 1, 0, 0)
	who.opened(1)
	if got, want := scopes(p.since(m, "/auth")[0]), []string{"offline_access", "read", "write"}; !slices.Equal(got, want) {
		t.Errorf("scopes %q, want %q", got, want)
	}

	m = p.mark()
	f = who.start().open()
	if got := f.call("write").text(); got != "written" {
		t.Errorf("after a new start: %s", got)
	}
	f.close()
	p.wants(t, m, 0, 0, 0)

	p.revoke() // so that there is a new sign-in, which is for all that was asked for before
	who.start().open().close()
	authorize := p.since(m, "/auth")
	if len(authorize) != 1 || !slices.Contains(scopes(authorize[0]), "write") {
		t.Errorf("authorization requests %v, want one for write too", authorize)
	}
	who.opened(2)
}

// A person who says no is left alone for a minute, by all calls. Where the editor cannot ask,
// nothing is opened and nobody is asked.
//
// req: S05, S06
func TestSignInPeerStepUpDeclined(t *testing.T) {
	p := newPeer(t)
	for _, action := range []string{"decline", "cancel"} {
		t.Run(action, func(t *testing.T) {
			who := newPerson(t, p)
			f := who.start().open()
			m := p.mark()
			_, answer := f.calling("write")
			f.answer(f.asks(), action)
			if got := answer().cause(); got != "sign_in_declined" {
				t.Errorf("cause %q", got)
			}
			for range 2 {
				if got := f.call("write").cause(); got != "sign_in_cooldown" {
					t.Errorf("cause %q right after that", got)
				}
			}
			if got := f.call("whoami").text(); got != "user" {
				t.Errorf("what needs no more: %s", got)
			}
			f.unasked()
			f.close()
			p.wants(t, m, 0, 0, 0)
			who.opened(1)
		})
	}
	t.Run("cannot ask", func(t *testing.T) {
		who := newPerson(t, p)
		f := who.start()
		_, answer := f.initializing(object{"elicitation": object{"form": object{}}})
		answer()
		f.initialized()
		m := p.mark()
		if got := f.call("write").cause(); got != "sign_in_no_consent" {
			t.Errorf("cause %q", got)
		}
		f.close()
		p.wants(t, m, 0, 0, 0)
		who.opened(1)
	})
}

// Calls that are refused at the same time are one question, and each can be cancelled on its
// own.
//
// req: S05, S22
func TestSignInPeerTogether(t *testing.T) {
	p := newPeer(t)
	who := newPerson(t, p)
	who.start().open().close()
	f := who.start().open() // one that has not just signed in
	p.revoke()
	m := p.mark()
	var answers []func() reply
	for range 8 {
		_, answer := f.calling("whoami")
		answers = append(answers, answer)
	}
	cancelled, _ := f.calling("whoami")
	q := f.asks()
	f.send(object{"method": "notifications/cancelled", "params": object{"requestId": cancelled}})
	f.answer(q, "accept")
	who.visits(q.Params.URL)
	for _, answer := range answers {
		if got := answer().text(); got != "user" {
			t.Errorf("answer %s", got)
		}
	}
	f.unasked()
	f.close()
	p.wants(t, m, 1, 0, 0)
}

// scopes are those of an authorization request, sorted.
func scopes(a asked) []string {
	all := strings.Fields(a.text("scope"))
	slices.Sort(all)
	return all
}
