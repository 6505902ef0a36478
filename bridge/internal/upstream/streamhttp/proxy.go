package streamhttp

import (
	"errors"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpproxy"
)

// A ProxyError says that a variable names no proxy that can be used. It does not repeat
// the value, which can hold a password.
type ProxyError struct{ Variable string }

// Error names the variable.
func (e *ProxyError) Error() string {
	return "the variable " + e.Variable + " names no proxy of http or https"
}

// ParseProxy reads which proxy a server is reached by from variables in the form of
// os.Environ: HTTPS_PROXY, else ALL_PROXY, unless NO_PROXY names the host. Each may be in
// lower case. Servers on this machine are reached directly. The error is a [*ProxyError].
func ParseProxy(env []string) (func(*url.URL) (*url.URL, error), error) {
	variable, value := first(env, "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
	if value == "" {
		return func(*url.URL) (*url.URL, error) { return nil, nil }, nil
	}
	proxy, err := proxyURL(value)
	if err != nil {
		return nil, &ProxyError{variable}
	}
	_, except := first(env, "NO_PROXY", "no_proxy")
	// The package decides by host and port; the proxy was read already.
	config := httpproxy.Config{HTTPSProxy: "http://proxy.invalid", NoProxy: except}
	wanted := config.ProxyFunc()
	return func(u *url.URL) (*url.URL, error) {
		if u.Scheme != "https" || isLoopback(u.Hostname()) {
			return nil, nil
		}
		if p, err := wanted(u); p == nil || err != nil {
			return nil, err
		}
		return proxy, nil
	}, nil
}

// proxyURL reads the URL of a proxy. Without a scheme it is one of http.
func proxyURL(value string) (*url.URL, error) {
	if !strings.Contains(value, "://") {
		value = "http://" + value
	}
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || !isPort(u.Port()) {
		return nil, errors.New("streamhttp: not a proxy")
	}
	return u, nil
}

// first returns the first of the variables that has a value. The last of several
// settings of one variable counts.
func first(env []string, variables ...string) (variable, value string) {
	for _, name := range variables {
		for _, setting := range env {
			if key, v, _ := strings.Cut(setting, "="); key == name {
				variable, value = name, v
			}
		}
		if value != "" {
			return variable, value
		}
	}
	return "", ""
}
