package mcpwire

import (
	"slices"
	"strconv"
	"strings"
)

// editorAuthority is what the editor puts in the place of an authority that is
// empty, on the way there.
const editorAuthority = "dylo78gyp"

// specialPorts are the default ports of the schemes that have rules of their own in
// the URL standard; a file has none.
var specialPorts = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21", "file": ""}

// A webURL is a URL as the URL standard has it, in its written form.
type webURL struct {
	scheme, authority, path string
	rest                    string // query and fragment
}

// editorForms returns the URIs that the editor may ask for when it was told of uri.
// Versions of it differ: some drop a slash at the end of the path. There are none if
// the editor cannot carry uri, or if what it does with it is not known here.
func editorForms(uri string) []string {
	u, ok := throughEditor(uri)
	if !ok {
		return nil
	}
	forms := []string{u.String()}
	if path, ok := strings.CutSuffix(u.path, "/"); ok {
		if _, special := specialPorts[u.scheme]; special && path == "" {
			path = "/"
		}
		u.path = path
		forms = append(forms, u.String())
	}
	return slices.Compact(forms)
}

func (u *webURL) String() string { return u.scheme + "://" + u.authority + u.path + u.rest }

// throughEditor takes uri apart as the editor does, undoes its escapes, and puts it
// together as a URL. On the way the scheme, the authority and the path are one path,
// so an opaque path runs into the placeholder of the authority.
func throughEditor(uri string) (webURL, bool) {
	scheme, authority, path, query, fragment := split(uri)
	authority, path, query, fragment = unescape(authority), unescape(path), unescape(query), unescape(fragment)
	switch scheme {
	case "http", "https", "file":
		if !strings.HasPrefix(path, "/") {
			path = "/" + path
		}
	}
	if authority == "" {
		if strings.HasPrefix(path, "//") {
			return webURL{}, false
		}
		authority = editorAuthority
	}
	host, path, slash := strings.Cut(withoutBreaks(authority+path), "/")
	if slash {
		path = "/" + path
	}
	if strings.EqualFold(host, editorAuthority) {
		host = ""
	}
	u := webURL{scheme: strings.ToLower(scheme)}
	port, special := specialPorts[u.scheme]
	var ok bool
	if u.authority, ok = urlAuthority(host, u.scheme, port, special); !ok || !isURLScheme(u.scheme) || u.scheme == "file" && strings.Contains(path, "|") {
		return webURL{}, false
	}
	u.path = urlPath(path, special)
	u.rest = urlQuery(withoutBreaks(query), special) + urlFragment(withoutBreaks(fragment))
	return u, true
}

// split takes a URI apart. One without a scheme is a file to the editor.
func split(uri string) (scheme, authority, path, query, fragment string) {
	scheme = "file"
	if i := strings.IndexAny(uri, ":/?#"); i > 0 && uri[i] == ':' {
		scheme, uri = uri[:i], uri[i+1:]
	}
	uri, fragment, _ = strings.Cut(uri, "#")
	uri, query, _ = strings.Cut(uri, "?")
	path, ok := strings.CutPrefix(uri, "//")
	if !ok {
		return scheme, "", uri, query, fragment
	}
	if i := strings.IndexByte(path, '/'); i >= 0 {
		return scheme, path[:i], path[i:], query, fragment
	}
	return scheme, path, "", query, fragment
}

func isURLScheme(s string) bool {
	if s == "" || !isLetter(s[0]) {
		return false
	}
	for _, c := range []byte(s) {
		if !isAlphanumeric(c) && c != '+' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// urlAuthority returns user information, host and port as they are written. What the
// URL standard refuses is refused, and so are hosts that it rewrites in ways that are
// not done here.
func urlAuthority(s, scheme, defaultPort string, special bool) (string, bool) {
	user, host, hasUser := "", s, false
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		user, host, hasUser = s[:i], s[i+1:], true
	}
	host, port, hasPort := strings.Cut(host, ":")
	if hasPort && port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || host == "" {
			return "", false
		}
		if port = strconv.FormatUint(n, 10); port == defaultPort {
			port = ""
		}
	}
	if (hasUser || hasPort) && (host == "" || scheme == "file") || strings.ContainsAny(host, "\x00 #<>?[\\]^|") {
		return "", false
	}
	if special {
		if host = strings.ToLower(host); !isPlainHost(host) || host == "" && scheme != "file" {
			return "", false
		}
		if scheme == "file" && host == "localhost" {
			host = ""
		}
	}
	host = escape(host, "")
	if port != "" {
		host += ":" + port
	}
	return userInfo(user) + host, true
}

// userInfo returns the user information with the sign after it.
func userInfo(s string) string {
	const set = "\"#<>?`{}/:;=@[\\]^|"
	name, password, _ := strings.Cut(s, ":")
	switch {
	case name == "" && password == "":
		return ""
	case password == "":
		return escape(name, set) + "@"
	}
	return escape(name, set) + ":" + escape(password, set) + "@"
}

// isPlainHost reports whether s is a host name that stays as it is: of ASCII, and
// nothing that would be read as a number.
func isPlainHost(s string) bool {
	for _, c := range []byte(s) {
		if !isAlphanumeric(c) && c != '-' && c != '.' && c != '_' {
			return false
		}
	}
	last := s[strings.LastIndexByte(strings.TrimSuffix(s, "."), '.')+1:]
	return last == "" || last[0] < '0' || last[0] > '9'
}

func urlPath(s string, special bool) string {
	if special {
		if s = strings.ReplaceAll(s, `\`, "/"); s == "" {
			return "/"
		}
	}
	return escape(withoutDots(s), "\"#<>?`{}")
}

func urlQuery(s string, special bool) string {
	if s == "" {
		return ""
	}
	set := "\"#<>"
	if special {
		set += "'"
	}
	return "?" + escape(strings.TrimPrefix(s, "?"), set)
}

func urlFragment(s string) string {
	if s == "" {
		return ""
	}
	return "#" + escape(strings.TrimPrefix(s, "#"), "\"<>`")
}

// withoutBreaks leaves out what the URL standard leaves out everywhere.
func withoutBreaks(s string) string { return breaks.Replace(s) }

// breaks is made once: a replacer takes more memory than the URIs that it is for.
var breaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")
