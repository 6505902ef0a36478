package mcpwire

import (
	"net/url"
	"strings"
	"testing"
)

// req: I02
func TestT116(t *testing.T) {
	long := "https://a.example/" + strings.Repeat("a", maxElicitationURL-len("https://a.example/"))
	for _, tt := range []struct{ name, raw, want string }{
		{"refuses file", "file:///etc/passwd", ""},
		{"refuses the editor's scheme", "vscode://x", ""},
		{"refuses command", "command:workbench.action.quit", ""},
		{"refuses javascript", "javascript:alert(1)", ""},
		{"refuses javascript that looks like an address", "javascript://a.example/%0aalert(1)", ""},
		{"refuses data", "data:text/html,x", ""},
		{"refuses another scheme", "ftp://a.example/", ""},
		{"refuses a relative reference", "/login", ""},
		{"refuses a reference without a scheme", "//a.example/", ""},
		{"refuses nothing", "", ""},
		{"refuses https without slashes", "https:a.example", ""},
		{"refuses https with one slash", "https:/a.example", ""},
		{"refuses http to another machine", "http://a.example/", ""},
		{"refuses http to a private network", "http://192.168.0.1/", ""},
		{"refuses http to a name that begins like this machine", "http://localhost.a.example/", ""},
		{"refuses http to a name that ends like this machine", "http://notlocalhost/", ""},
		{"refuses http to all addresses", "http://0.0.0.0/", ""},
		{"refuses http to a mapped loopback", "http://[::ffff:127.0.0.1]/", ""},
		{"refuses a backslash in the authority", `https://a.example\@b.example/`, ""},
		{"refuses a backslash after the host", `https://a.example/\`, ""},
		{"refuses a line feed", "https://a.example/\n", ""},
		{"refuses a tab in the scheme", "ht\ttps://a.example/", ""},
		{"refuses a zero byte", "https://a.example/\x00", ""},
		{"refuses DEL", "https://a.example/\x7f", ""},
		{"refuses a C1 control", "https://a.example/\u0085", ""},
		{"refuses a mark that turns text", "https://a.example/\u202egpj", ""},
		{"refuses a character without width", "https://a.exam\u200bple/", ""},
		{"refuses a space before", " https://a.example/", ""},
		{"refuses a space in the path", "https://a.example/a b", ""},
		{"refuses a wide space", "https://a.example/\u3000", ""},
		{"refuses a broken character", "https://a.example/\xff", ""},
		{"refuses a user", "https://user@a.example/", ""},
		{"refuses a user and a password", "https://a.example:x@b.example/", ""},
		{"refuses empty user information", "https://@a.example/", ""},
		{"refuses an empty host", "https:///path", ""},
		{"refuses a port alone", "https://:443/", ""},
		{"refuses an empty host before a query", "https://?q", ""},
		{"refuses an escape in the host", "https://a%2eexample/", ""},
		{"refuses an escape for what is not ASCII in the host", "https://b%C3%BCcher.example/", ""},
		{"refuses user information before brackets", "https://user@[::1]/", ""},
		{"refuses user information in brackets", "https://[::1]@a.example:80/", ""},
		{"refuses an at sign after a port", "https://a.example:80@b.example/", ""},
		{"refuses a wide at sign", "https://user\uff20a.example/", ""},
		{"refuses half an escape in the path", "https://a.example/%4", ""},
		{"refuses a broken escape in the query", "https://a.example/?%zz", ""},
		{"refuses a broken escape in the fragment", "https://a.example/#%", ""},
		{"refuses an empty port", "https://a.example:/", ""},
		{"refuses port 0", "https://a.example:0/", ""},
		{"refuses a port too large", "https://a.example:65536/", ""},
		{"refuses a port with a zero before", "https://a.example:0443/", ""},
		{"refuses a port that is no number", "https://a.example:x/", ""},
		{"refuses a negative port", "https://a.example:-1/", ""},
		{"refuses two ports", "https://a.example:1:2/", ""},
		{"refuses an address of two numbers", "http://127.1/", ""},
		{"refuses an address in hexadecimal", "http://0x7f.1/", ""},
		{"refuses an address in one number", "http://2130706433/", ""},
		{"refuses an address in one hexadecimal number", "https://0x7f000001/", ""},
		{"refuses an address in octal", "http://0177.0.0.1/", ""},
		{"refuses an odd address with https", "https://127.1/", ""},
		{"refuses one number with https", "https://2130706433/", ""},
		{"refuses wide digits", "https://\uff11\uff12\uff17.1/", ""},
		{"refuses a name that ends in a number", "https://a.example.1/", ""},
		{"refuses a name that ends in an empty hexadecimal", "https://a.0x/", ""},
		{"refuses five numbers", "https://1.2.3.4.5/", ""},
		{"refuses a number over 255", "https://1.2.3.256/", ""},
		{"refuses a mapped address with https", "https://[::ffff:1.2.3.4]/", ""},
		{"refuses a zone", "http://[::1%25lo]/", ""},
		{"refuses a zone without escape", "http://[fe80::1%lo]/", ""},
		{"refuses version 4 in brackets", "http://[127.0.0.1]/", ""},
		{"refuses an open bracket", "http://[::1/", ""},
		{"refuses text after a bracket", "http://[::1]x/", ""},
		{"refuses an empty label", "https://a..example/", ""},
		{"refuses a dot at the end", "https://a.example./", ""},
		{"refuses a label too long", "https://" + strings.Repeat("a", 64) + ".example/", ""},
		{"refuses a name too long", "https://" + strings.Repeat("a.", 127) + "example/", ""},
		{"refuses a star", "https://*.example/", ""},
		{"refuses punycode that does not decode", "https://xn--a.example/", ""},
		{"refuses punycode of plain ASCII", "https://xn--abc-.example/", ""},
		{"refuses a joiner in a host", "https://a\u200d.example/", ""},
		{"refuses a byte too many", long + "a", ""},
		{"refuses what escapes make too long", "https://a.example/" + strings.Repeat("é", maxElicitationURL/4), ""},

		{"shows https", "https://a.example/", "https://a.example/"},
		{"shows as it came", "https://a.example:8443/p/a;b=c,d/..?x[]=1&y=%20+#f?/", "https://a.example:8443/p/a;b=c,d/..?x[]=1&y=%20+#f?/"},
		{"shows without a path", "https://a.example", "https://a.example"},
		{"shows a query without a path", "https://a.example?u=https://b.example/@x", "https://a.example?u=https://b.example/@x"},
		{"shows scheme and host in lower case", "HTTPS://A.Example/P", "https://a.example/P"},
		{"shows an underscore and hyphens", "https://r3---a_b-.example/", "https://r3---a_b-.example/"},
		{"shows an address", "https://1.2.3.4/", "https://1.2.3.4/"},
		{"shows an address of version 6", "https://[2001:DB8:0::1]:8443/", "https://[2001:db8::1]:8443/"},
		{"shows http to localhost", "http://localhost:3000/cb", "http://localhost:3000/cb"},
		{"shows http to LOCALHOST", "http://LOCALHOST/", "http://localhost/"},
		{"shows http below localhost", "http://app.localhost/", "http://app.localhost/"},
		{"shows http to 127.0.0.1", "http://127.0.0.1:1/", "http://127.0.0.1:1/"},
		{"shows http to all of 127.0.0.0/8", "http://127.255.0.9/", "http://127.255.0.9/"},
		{"shows http to ::1", "http://[::1]:65535/", "http://[::1]:65535/"},
		{"shows http to ::1 in long", "http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"},
		{"shows escapes for what is not ASCII", "https://a.example/é?ü", "https://a.example/%C3%A9?%C3%BC"},
		{"shows escapes for what no URI holds", "https://a.example/<a>|\"", "https://a.example/%3Ca%3E%7C%22"},
		{"shows the longest", long, long},
		{"shows a host in punycode", "https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, flagged, ok := checkURL(tt.raw)
			if got != tt.want || ok != (tt.want != "") || flagged {
				t.Errorf("checkURL(%.100q) = %.100q, %t, %t, want %.100q", tt.raw, got, flagged, ok, tt.want)
			}
			checkShown(t, got, ok)
		})
	}
}

// req: I14
func TestT116HostNotASCII(t *testing.T) {
	for _, tt := range []struct{ name, raw, want string }{
		{"a letter with a mark", "https://bücher.example/", "https://xn--bcher-kva.example/"},
		{"letters of another script that look the same", "https://аррӏе.example/", "https://xn--80ak6aa92e.example/"},
		{"wide letters", "https://ａ.example/", "https://a.example/"},
		{"a wide dot", "https://a。example/", "https://a.example/"},
		{"this machine in wide letters", "http://ｌocalhost/", "http://localhost/"},
		{"a name in capitals", "https://BÜCHER.example:444/x", "https://xn--bcher-kva.example:444/x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, flagged, ok := checkURL(tt.raw)
			if got != tt.want || !flagged || !ok {
				t.Errorf("checkURL(%q) = %q, %t, %t, want %q, true, true", tt.raw, got, flagged, ok, tt.want)
			}
			checkShown(t, got, ok)
		})
	}
}

// checkShown checks what holds for each URL that is shown.
func checkShown(t *testing.T, shown string, ok bool) {
	t.Helper()
	if !ok {
		if shown != "" {
			t.Errorf("refused, and yet shown: %q", shown)
		}
		return
	}
	again, flagged, ok := checkURL(shown)
	if again != shown || flagged || !ok {
		t.Errorf("checkURL(%q) = %q, %t, %t, want the same", shown, again, flagged, ok)
	}
	u, err := url.Parse(shown)
	if err != nil {
		t.Fatalf("url.Parse(%q): %v", shown, err)
	}
	local := u.Hostname() == "localhost" || strings.HasSuffix(u.Hostname(), ".localhost") ||
		strings.HasPrefix(u.Hostname(), "127.") || u.Hostname() == "::1"
	if u.Scheme != "https" && (u.Scheme != "http" || !local) || u.User != nil || u.Hostname() == "" || u.Opaque != "" {
		t.Errorf("shown %q, which url.Parse takes for %#v", shown, u)
	}
	if strings.Trim(shown, "!#$%&'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]_abcdefghijklmnopqrstuvwxyz~") != "" ||
		len(shown) > maxElicitationURL {
		t.Errorf("shown %q", shown)
	}
}

// FuzzCheckURL holds what is shown against net/url.
func FuzzCheckURL(f *testing.F) {
	for _, s := range []string{
		"https://a.example:8443/p?q#f", "http://[::1]/", "https://bücher.example", `https://a\b`, "https://xn--a.b/%41", "http://127.0.0.1:1",
		"https://a.0x7f", "HTTPS://ａ。example/é", "https://[::ffff:1.2.3.4%25x]:80",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		shown, _, ok := checkURL(raw)
		checkShown(t, shown, ok)
	})
}
