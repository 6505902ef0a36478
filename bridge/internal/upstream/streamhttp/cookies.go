package streamhttp

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Cookies are what a server has set, for as long as the session lasts (U12). They go to
// the origin that set them and nowhere else, so their domain says nothing. What keeps a
// load balancer on one machine fits into a few; of more, the oldest are forgotten.
type cookies struct {
	mu   sync.Mutex // guards list
	list []cookie   // oldest first
}

type cookie struct {
	name, value, path string
	expires           time.Time // zero: never
}

// set takes the cookies of a response to a request for u.
func (c *cookies) set(now time.Time, u *url.URL, res *http.Response) {
	lines := res.Header["Set-Cookie"]
	if len(lines) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, line := range lines {
		got, err := http.ParseSetCookie(line)
		if err != nil || len(got.Name)+len(got.Value) > maxCookieBytes || !isFor(got.Domain, u.Hostname()) {
			continue
		}
		if got.Quoted { // the server's own text goes back
			got.Value = `"` + got.Value + `"`
		}
		c.put(now, cookie{got.Name, got.Value, pathOf(got.Path, u), expiry(now, got)}, got.MaxAge < 0)
	}
}

// put replaces the cookie of that name and path. The caller holds the lock.
func (c *cookies) put(now time.Time, k cookie, gone bool) {
	c.list = slices.DeleteFunc(c.list, func(old cookie) bool {
		return old.name == k.name && old.path == k.path || !old.lives(now)
	})
	if gone || !k.lives(now) {
		return
	}
	if len(c.list) == maxCookies {
		c.list = c.list[1:]
	}
	c.list = append(c.list, k)
}

// header returns the header for a request for u, or nothing.
func (c *cookies) header(now time.Time, u *url.URL) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	for _, k := range c.list {
		if !k.lives(now) || !k.covers(u) {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("; ")
		}
		b.WriteString(k.name + "=" + k.value)
	}
	return b.String()
}

func (k *cookie) lives(now time.Time) bool { return k.expires.IsZero() || now.Before(k.expires) }

// covers implements the path match of RFC 6265, 5.1.4.
func (k *cookie) covers(u *url.URL) bool {
	path := u.EscapedPath()
	return path == k.path || strings.HasPrefix(path, k.path) && (strings.HasSuffix(k.path, "/") || path[len(k.path)] == '/')
}

// isFor reports whether a cookie of that domain is one of host.
func isFor(domain, host string) bool {
	domain = strings.ToLower(strings.TrimPrefix(domain, "."))
	host = strings.ToLower(host)
	return domain == "" || domain == host || strings.HasSuffix(host, "."+domain)
}

// pathOf returns the path of a cookie: that of the directory of u if it names none.
func pathOf(path string, u *url.URL) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	dir := u.EscapedPath()
	if i := strings.LastIndexByte(dir, '/'); i > 0 {
		return dir[:i]
	}
	return "/"
}

func expiry(now time.Time, c *http.Cookie) time.Time {
	if c.MaxAge > 0 {
		const most = 400 * 24 * time.Hour // longer than a session
		return now.Add(min(time.Duration(min(c.MaxAge, int(most/time.Second)))*time.Second, most))
	}
	return c.Expires
}
