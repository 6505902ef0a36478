package oauthloopback

import (
	"context"
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

const goodBase = "https://as.example/authorize"

// withQuery appends the parameters that r wants.
func withQuery(r *Receiver, base string) string {
	separator := "?"
	if strings.Contains(base, "?") {
		separator = "&"
	}
	return base + separator + authQuery(r).Encode()
}

// req: S04
func TestP1Accepts(t *testing.T) {
	c := config()
	r := listen(t, c)
	for name, base := range map[string]string{
		"a name":                  goodBase,
		"no path":                 "https://as.example",
		"one label":               "https://intranet/authorize",
		"a port":                  "https://as.example:8443/a",
		"the last port":           "https://as.example:65535/a",
		"punycode":                "https://xn--bcher-kva.example/a",
		"a digit first":           "https://1.as.example/a",
		"a label of 63":           "https://" + strings.Repeat("a", 63) + ".example/a",
		"a host of 253":           "https://" + strings.Repeat("abcdefg.", 31) + "abcde/a",
		"IPv4":                    "https://192.0.2.1/a",
		"IPv4 and a port":         "https://192.0.2.1:8443/a",
		"IPv6":                    "https://[2001:db8::1]/a",
		"IPv6 and a port":         "https://[2001:db8::1]:8443/a",
		"other bytes":             "https://as.example/a'();&$!*,[]@:~_-.+=/b?x='();$!*,[]@:/?",
		"a query of its own":      "https://as.example/a?tenant=1",
		"escapes":                 "https://as.example/%20%aF%00?x=%22",
		"this machine, but https": "https://127.0.0.1:8443/a",
	} {
		t.Run(name, func(t *testing.T) {
			raw := withQuery(r, base)
			u, err := r.AuthURL(raw)
			if err != nil || u.Raw() != raw {
				t.Errorf("AuthURL(%q) = %q, %v; want it as it is", raw, u.Raw(), err)
			}
		})
	}
	t.Run("8192 bytes", func(t *testing.T) {
		raw := withQuery(r, goodBase) + "&x="
		raw += strings.Repeat("x", 8192-len(raw))
		if _, err := r.AuthURL(raw); err != nil {
			t.Errorf("AuthURL of %d bytes: %v", len(raw), err)
		}
		_, err := r.AuthURL(raw + "x")
		wantReason(t, err, ReasonInvalidURL)
	})
}

// req: S04
func TestP1Refuses(t *testing.T) {
	r := listen(t, config())
	bases := map[string]string{
		"refuses a blank":                  "https://as.example/a b",
		"refuses a tab":                    "https://as.example/a\tb",
		"refuses a line end":               "https://as.example/a\nb",
		"refuses NUL":                      "https://as.example/a\x00b",
		"refuses DEL":                      "https://as.example/a\x7fb",
		"refuses a byte over ASCII":        "https://as.example/\xff",
		"refuses a letter over ASCII":      "https://as.example/ü",
		"refuses a host over ASCII":        "https://büchер.example/a",
		"refuses a bare percent sign":      "https://as.example/%",
		"refuses a percent sign and z1":    "https://as.example/?q=%z1",
		"refuses half an escape":           "https://as.example/?q=%4",
		"refuses HTTPS in capitals":        "HTTPS://as.example/a",
		"refuses http":                     "http://as.example/a",
		"refuses http to this machine":     "http://127.0.0.1/a",
		"refuses file":                     "file:///c:/windows/system32/calc.exe",
		"refuses file with a host":         "file://localhost/etc/passwd",
		"refuses javascript":               "javascript:alert(1)//https://as.example/",
		"refuses data":                     "data:text/html,https://as.example/",
		"refuses vscode":                   "vscode://as.example/a",
		"refuses ms-settings":              "ms-settings://as.example/a",
		"refuses ftp":                      "ftp://localhost/xy",
		"refuses no scheme":                "//as.example/a",
		"refuses a relative URL":           "/authorize",
		"refuses an opaque URL":            "https:as.example",
		"refuses one slash":                "https:/as.example/a",
		"refuses a blank first":            " https://as.example/a",
		"refuses an option":                "--https://as.example/a",
		"refuses a fragment":               "https://as.example/a#b",
		"refuses an empty fragment":        "https://as.example/#",
		"refuses a user":                   "https://user@as.example/a",
		"refuses a user and a password":    "https://user:secret@as.example/a",
		"refuses an empty user":            "https://@as.example/a",
		"refuses a host in the user":       "https://as.example:443@evil.example/a",
		"refuses no host":                  "https:///x",
		"refuses no host but a port":       "https://:443/x",
		"refuses an escape in the host":    "https://as%2eexample/a",
		"refuses an underscore":            "https://a_b.example/a",
		"refuses capitals in the host":     "https://AS.example/a",
		"refuses an empty label":           "https://as..example/a",
		"refuses a dot at the end":         "https://as.example./a",
		"refuses a dot first":              "https://.as.example/a",
		"refuses a hyphen first":           "https://-as.example/a",
		"refuses a hyphen at the end":      "https://as-.example/a",
		"refuses a label of 64":            "https://" + strings.Repeat("a", 64) + ".example/a",
		"refuses a host of 254":            "https://" + strings.Repeat("abcdefg.", 31) + "abcdef/a",
		"refuses a zone":                   "https://[fe80::1%25eth0]/a",
		"refuses half of brackets":         "https://[2001:db8::1/a",
		"refuses brackets around a name":   "https://[as.example]/a",
		"refuses brackets around IPv4":     "https://[192.0.2.1]/a",
		"refuses text behind brackets":     "https://[2001:db8::1]x/a",
		"refuses two ports":                "https://as.example:1:2/a",
		"refuses 127.1":                    "https://127.1/a",
		"refuses a hexadecimal part":       "https://0x7f.1/a",
		"refuses one number":               "https://2130706433/a",
		"refuses one hexadecimal number":   "https://0x7f000001/a",
		"refuses an octal part":            "https://0177.0.0.1/a",
		"refuses five parts":               "https://1.2.3.4.5/a",
		"refuses a part over 255":          "https://1.2.3.256/a",
		"refuses a name that ends in 0x1":  "https://as.0x1/a",
		"refuses a colon without a port":   "https://as.example:/a",
		"refuses port 0":                   "https://as.example:0/a",
		"refuses a port over 65535":        "https://as.example:65536/a",
		"refuses port 99999":               "https://as.example:99999/a",
		"refuses a port with a zero first": "https://as.example:0443/a",
		"refuses a port with a sign":       "https://as.example:+443/a",
		"refuses a shell in the host":      "https://a$(calc)/",
	}
	for _, b := range "\"<>\\^`{|}" {
		bases["refuses "+string(b)] = "https://as.example/a" + string(b) + "b"
	}
	for name, base := range bases {
		t.Run(name, func(t *testing.T) {
			u, err := r.AuthURL(withQuery(r, base))
			wantReason(t, err, ReasonInvalidURL)
			if u.Raw() != "" {
				t.Errorf("AuthURL(%q) = %q, want none", base, u.Raw())
			}
		})
	}
	_, err := r.AuthURL("")
	wantReason(t, err, ReasonInvalidURL)
}

// req: S04
func TestP1Parameters(t *testing.T) {
	r := listen(t, config())
	refuse := func(name, query string) {
		t.Run(name, func(t *testing.T) {
			_, err := r.AuthURL(goodBase + "?" + query)
			wantReason(t, err, ReasonInvalidURL)
		})
	}
	refuse("refuses no query", "")
	for name, other := range map[string]string{
		"response_type": "token", "client_id": "", "state": strings.ToLower(testState), "redirect_uri": "http://127.0.0.1:1/callback",
		"code_challenge": "", "code_challenge_method": "plain",
	} {
		q := authQuery(r)
		q.Del(name)
		refuse("refuses no "+name, q.Encode())
		q = authQuery(r)
		refuse("refuses "+name+" twice", q.Encode()+"&"+url.Values{name: q[name]}.Encode())
		refuse("refuses an escaped "+name+" besides", q.Encode()+"&%"+strings.ToUpper(string("0123456789abcdef"[name[0]>>4]))+string("0123456789abcdef"[name[0]&15])+name[1:]+"=x")
		q.Set(name, other)
		refuse("refuses another "+name, q.Encode())
		q.Set(name, authQuery(r).Get(name)+"x")
		if name != "client_id" && name != "code_challenge" {
			refuse("refuses a longer "+name, q.Encode())
		}
	}
	refuse("refuses the redirect URI with a slash behind", strings.Replace(authQuery(r).Encode(), "%2Fcallback", "%2Fcallback%2F", 1))
}

// req: S04
func TestP1LoopbackHTTP(t *testing.T) {
	c := config()
	c.AllowLoopbackHTTP = true
	r := listen(t, c)
	for host, want := range map[string]bool{
		"localhost": true, "a.localhost": true, "127.0.0.1": true, "127.255.255.254": true, "[::1]": true, "localhost:8080": true, "[::1]:8080": true,
		"as.example": false, "localhost.example": false, "notlocalhost": false, "128.0.0.1": false, "[::2]": false, "[::ffff:127.0.0.1]": false,
		"0.0.0.0": false, "127.1": false, "": false, "127.0.0.1@as.example": false, ".localhost": false,
	} {
		_, err := r.AuthURL(withQuery(r, "http://"+host+"/a"))
		if (err == nil) != want {
			t.Errorf("http to %q: %v, want accepted: %v", host, err, want)
		}
	}
}

// The error names the check that failed, in words of this package.
//
// req: S04
func TestRefusalNamesTheCheck(t *testing.T) {
	r := listen(t, config())
	for detail, raw := range map[string]string{
		"length": "", "byte that a URL cannot hold": "https://as.example/ ", "percent sign": "https://as.example/%", "scheme": "http://as.example/",
		"fragment": "https://as.example/#", "user information": "https://u@as.example/", "host": "https:///", "port": "https://as.example:0/",
		"parameter response_type": "https://as.example/",
	} {
		_, err := r.AuthURL(raw)
		if e, ok := errors.AsType[*Error](err); !ok || e.Detail != detail {
			t.Errorf("AuthURL(%q): %v, want the detail %q", raw, err, detail)
		}
	}
}

// Nothing of a refused URL is in the error.
//
// req: S04
func TestRefusalHoldsNothing(t *testing.T) {
	r := listen(t, config())
	for _, raw := range []string{"https://zQ.example/zQ", "https://zQ@as.example/zQ#zQ", "zQ", "https://as.example/?state=zQ&zQ=%zQ"} {
		if _, err := r.AuthURL(raw); err == nil || strings.Contains(err.Error(), "zQ") {
			t.Errorf("AuthURL(%q): error %v", raw, err)
		}
	}
}

// An AuthURL leads from the receiver that checked it, and from no other.
//
// req: S04
func TestAuthURLOfAnotherReceiver(t *testing.T) {
	r, other := listen(t, config()), listen(t, config())
	over, cancel := context.WithCancel(t.Context())
	cancel() // so that a wait would end
	for name, u := range map[string]AuthURL{"another's": goodURL(t, other), "zero": {}} {
		_, err := r.Start(u)
		wantReason(t, err, ReasonInvalidURL)
		shown := false
		_, err = Flow{Show: func(AuthURL) { shown = true }}.Run(over, r, u)
		wantReason(t, err, ReasonInvalidURL)
		if shown {
			t.Errorf("%s was shown", name)
		}
	}
	stillWaits(t, r)
}

// What is accepted is what other parsers see too.
//
// req: S04
func FuzzAuthURL(f *testing.F) {
	r := &Receiver{host: "127.0.0.1:41894", settings: settings{callback: "/callback", state: NewSecret(testState)}}
	for _, base := range []string{goodBase, "https://as.example:8443/a?b=c", "https://[::1]/", "https://1.2.3.4/", "https://u@h/", "https://h/#", "HTTPS://h/", "https://h:0/", "https://h\\@g/"} {
		f.Add(withQuery(r, base))
		f.Add(base)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, raw := range []string{raw, withQuery(r, raw), "https://" + withQuery(r, raw)} {
			u, err := r.AuthURL(raw)
			if err != nil {
				continue
			}
			if u.Raw() != raw {
				t.Errorf("%q became %q", raw, u.Raw())
			}
			checkAccepted(t, r, raw)
		}
	})
}

func checkAccepted(t *testing.T, r *Receiver, raw string) {
	t.Helper()
	if strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r >= 0x7F }) || strings.ContainsAny(raw, "\"<>\\^`{|}#") {
		t.Errorf("%q holds a byte that it must not", raw)
	}
	u, err := url.Parse(raw)
	if err != nil {
		t.Errorf("%q: %v", raw, err)
		return
	}
	again, err := url.Parse(u.String())
	if err != nil || again.String() != u.String() {
		t.Errorf("%q: parsed again it is %q, %v", raw, again, err)
	}
	if u.Scheme != "https" || u.User != nil || u.Hostname() == "" || u.Fragment != "" || u.Opaque != "" {
		t.Errorf("%q is parsed as %#v", raw, u)
	}
	if address, err := netip.ParseAddr(u.Hostname()); err == nil && address.String() != u.Hostname() && address.Is4() {
		t.Errorf("%q: address %v", raw, address)
	}
	// A semicolon is a character of a value, but url.Query leaves out what has one.
	q, err := url.ParseQuery(strings.ReplaceAll(u.RawQuery, ";", "%3B"))
	if err != nil {
		t.Errorf("%q: query: %v", raw, err)
	}
	for name, want := range authQuery(r) {
		if name == "client_id" || name == "code_challenge" {
			want = q[name]
		}
		if got := q[name]; len(got) != 1 || got[0] != want[0] {
			t.Errorf("%q: %s is %q", raw, name, got)
		}
	}
}
