package oauthloopback

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestConfig(t *testing.T) {
	for _, tt := range []struct {
		field string
		edit  func(*Config)
	}{
		{"Port", func(c *Config) { c.Port = -1 }},
		{"Port", func(c *Config) { c.Port = 65536 }},
		{"CallbackPath", func(c *Config) { c.CallbackPath = "callback" }},
		{"CallbackPath", func(c *Config) { c.CallbackPath = "/" }},
		{"CallbackPath", func(c *Config) { c.CallbackPath = "/a/" }},
		{"CallbackPath", func(c *Config) { c.CallbackPath = "/a b" }},
		{"CallbackPath", func(c *Config) { c.CallbackPath = "/a?b" }},
		{"CallbackPath", func(c *Config) { c.CallbackPath = "/a%62" }},
		{"CallbackPath", func(c *Config) { c.CallbackPath = "/a\n" }},
		{"CallbackPath", func(c *Config) { c.CallbackPath = "/a/../b" }},
		{"CallbackPath", func(c *Config) { c.CallbackPath = "/." }},
		{"CallbackPath", func(c *Config) { c.CallbackPath = "/start" }},
		{"CallbackPath", func(c *Config) { c.CallbackPath = "/start/x" }},
		{"State", func(c *Config) { c.State = Secret{} }},
		{"State", func(c *Config) { c.State = NewSecret(strings.Repeat("a", 31)) }},
		{"State", func(c *Config) { c.State = NewSecret(strings.Repeat("a", 129)) }},
		{"State", func(c *Config) { c.State = NewSecret(strings.Repeat("a", 31) + "+") }},
		{"Timeout", func(c *Config) { c.Timeout = time.Second - 1 }},
		{"Timeout", func(c *Config) { c.Timeout = time.Hour + 1 }},
		{"HeadLimit", func(c *Config) { c.HeadLimit = 1023 }},
		{"HeadLimit", func(c *Config) { c.HeadLimit = 1<<20 + 1 }},
		{"HeadTimeout", func(c *Config) { c.HeadTimeout = -1 }},
		{"HeadTimeout", func(c *Config) { c.HeadTimeout = time.Minute + 1 }},
		{"MaxConns", func(c *Config) { c.MaxConns = 1 }},
		{"MaxConns", func(c *Config) { c.MaxConns = 1025 }},
		{"AppName", func(c *Config) { c.AppName = "" }},
		{"AppName", func(c *Config) { c.AppName = strings.Repeat("a", 65) }},
		{"AppName", func(c *Config) { c.AppName = "<b>" }},
		{"AppName", func(c *Config) { c.AppName = "a&b" }},
		{"AppName", func(c *Config) { c.AppName = "a\n" }},
		{"AppName", func(c *Config) { c.AppName = "é" }},
	} {
		c := config()
		tt.edit(&c)
		r, err := Listen(t.Context(), c)
		if err == nil {
			r.Close()
		}
		wantReason(t, err, ReasonConfig)
		if e, ok := errors.AsType[*Error](err); ok && e.Detail != tt.field {
			t.Errorf("field %s, want %s", e.Detail, tt.field)
		}
	}
}

func TestConfigAtItsLimits(t *testing.T) {
	for name, c := range map[string]Config{
		"least": {State: NewSecret(strings.Repeat("a", 32)), AppName: "a", Timeout: time.Second, HeadLimit: 1024, HeadTimeout: 1, MaxConns: 2, CallbackPath: "/a"},
		"most": {State: NewSecret(strings.Repeat("-", 128)), AppName: strings.Repeat("a", 64), Timeout: time.Hour, HeadLimit: 1 << 20, HeadTimeout: time.Minute,
			MaxConns: 1024, CallbackPath: "/oauth/start/~a.b_c-d"},
		"beside start": {State: NewSecret(testState), AppName: "A (b) 1.0_-", CallbackPath: "/started"},
	} {
		r, err := Listen(t.Context(), c)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := "http://" + r.host + c.CallbackPath; r.RedirectURI() != want {
			t.Errorf("%s: RedirectURI() = %q, want %q", name, r.RedirectURI(), want)
		}
		r.Close()
	}
}

// The redirect is taken at the path of the redirect URI, and the page names the program.
//
// req: S08
func TestConfigIsHeeded(t *testing.T) {
	c := config()
	c.CallbackPath, c.AppName = "/oauth/back", "A (b) 1.0_-"
	r := listen(t, c)
	wantAnswer(t, get(t, r, defaultCallback+codeQuery), 404, titleNotFound)
	stillWaits(t, r)
	got := get(t, r, "/oauth/back"+codeQuery)
	wantAnswer(t, got, 200, titleDone)
	if !strings.Contains(got.body, "go back to <bdi>A (b) 1.0_-</bdi>.") {
		t.Errorf("the page does not name the program: %q", got.body)
	}
	wantCode(t, r)
}
