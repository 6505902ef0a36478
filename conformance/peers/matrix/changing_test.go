package matrix

import (
	"strings"
	"testing"
)

// changing are the features in which a side says that something has changed.
var changing = []feature{
	{name: "changed", rows: []string{rowChanges}, has: offers("changed"), works: changed},
	{name: "subscribe", rows: []string{rowSubscriptions}, has: offers("updated"), works: subscribed},
	{name: "roots changed", rows: []string{rowRoots}, has: func(p *pair) bool { return ours(p) && !p.modern() }, works: rootsChanged, fails: rootsUnchanged},
	{name: "session", rows: []string{rowSessions}, has: sessions, works: sessionForgotten},
}

// listens opens a stream of notifications, which a front before 2026-07-28 needs none for.
func (p *pair) listens(t *testing.T, notifications object) {
	t.Helper()
	if !p.modern() {
		return
	}
	id := p.send("subscriptions/listen", object{"notifications": notifications})
	acknowledged := p.until(func() bool {
		for _, m := range p.notes {
			if m.Method == "notifications/subscriptions/acknowledged" && at(m.Params, "_meta", meta+"subscriptionId") == at([]byte(id)) {
				return true
			}
		}
		return false
	})
	if !acknowledged {
		t.Error("the stream of notifications was not acknowledged")
	}
}

func changed(t *testing.T, p *pair) {
	p.listens(t, object{"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true})
	p.use(t, "changed")
	lists := []string{"tools"}
	if ours(p) {
		lists = append(lists, "prompts", "resources")
	}
	for _, list := range lists {
		if !p.noted("notifications/" + list + "/list_changed") {
			t.Errorf("no change of %s was told", list)
		}
	}
}

func subscribed(t *testing.T, p *pair) {
	p.listens(t, object{"resourceSubscriptions": []string{p.up.updates}})
	if !p.modern() {
		if m := p.request("resources/subscribe", object{"uri": p.up.updates}); m.Error != nil {
			t.Errorf("resources/subscribe: %s", m.brief())
		}
	}
	if p.up.tools["updated"].tool != "" {
		p.use(t, "updated")
	}
	if !p.noted("notifications/resources/updated") {
		t.Error("no update was told")
	}
	if !p.modern() {
		if m := p.request("resources/unsubscribe", object{"uri": p.up.updates}); m.Error != nil {
			t.Errorf("resources/unsubscribe: %s", m.brief())
		}
	}
}

const rootsNews = "notifications/roots/list_changed"

func rootsChanged(t *testing.T, p *pair) {
	p.tell(rootsNews, nil)
	p.hears(t, rootsNews)
}

func rootsUnchanged(t *testing.T, p *pair, c cell) {
	p.tell(rootsNews, nil)
	if m := p.front.call("heard", nil); m.Error != nil || strings.Contains(m.text(), rootsNews) {
		t.Errorf("the server has heard %s, but the table says: %s", m.brief(), c.text)
	}
}

// sessions reports whether the transport has sessions, or the front could see one.
func sessions(p *pair) bool { return ours(p) && p.up.http && p.rev != rev20241105 }

// sessionForgotten wants a session that the server does not know any more to be opened anew.
func sessionForgotten(t *testing.T, p *pair) {
	if p.rev != rev20260728 {
		p.site.forget()
	}
	p.use(t, "call")
}
