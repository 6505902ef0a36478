package demo

import "testing"

// One id has the text in its place: the first that is long enough to be random.
func TestPageID(t *testing.T) {
	const id, other = "e-0123456789abcdefghij_-", "e-9999999999999999999999"
	var p pageID
	for _, tt := range []struct{ name, frame, want string }{
		{"short", `{"elicitationId":"e-1"}`, `{"elicitationId":"e-1"}`},
		{"of a server", `{"elicitationId":"0123456789abcdefghij_-xx"}`, `{"elicitationId":"0123456789abcdefghij_-xx"}`},
		{"first", `{"url":"x","elicitationId":"` + id + `"}`, `{"url":"x","elicitationId":"e-random"}`},
		{"again", `{"elicitationId":"` + id + `","x":1}`, `{"elicitationId":"e-random","x":1}`},
		{"another", `{"elicitationId":"` + other + `"}`, `{"elicitationId":"` + other + `"}`},
		{"elsewhere", `{"x":"` + id + `"}`, `{"x":"` + id + `"}`},
		{"cut", `{"elicitationId":"` + id, `{"elicitationId":"` + id},
	} {
		if got := p.replace(tt.frame); got != tt.want {
			t.Errorf("%s: replace(%s) = %s, want %s", tt.name, tt.frame, got, tt.want)
		}
	}
}
