package app

import (
	"strings"

	"github.com/peterbourgon/ff/v4"

	"github.com/trestle-mcp/trestle/bridge"
)

// A target is the server of a command line: a command, or one at a URL.
type target struct {
	command []string       // nil: it is at a URL
	remote  *bridge.Remote // nil: it is a command
	access  *accessPlan    // nil: nobody ever signs in
}

// readServer tells which server a command line names: args are the arguments in front of
// "--", server those behind it. It refuses options that go with the other kind, and
// secrets that cannot be had.
func (p *process) readServer(flags ff.Flags, set *settings, args, server []string) (*target, error) {
	if len(args) == 0 || !isURL(args[0]) {
		if err := checkServerCommand(args, server); err != nil {
			return nil, err
		}
		return &target{command: server}, checkSet(flags, urlOptions, "is for a server at a URL")
	}
	if server != nil {
		return nil, &usageError{text: "a URL and a command after --; give one of them"}
	}
	if err := checkURL(args); err != nil {
		return nil, err
	}
	if err := checkSet(flags, commandOptions, "is for a server that runs as a command"); err != nil {
		return nil, err
	}
	return p.remote(flags, set, args[0])
}

// remote is the server at url. With a header Authorization nobody signs in to it (P09).
func (p *process) remote(flags ff.Flags, set *settings, url string) (*target, error) {
	secrets, err := set.credentials(p.env)
	if err != nil {
		return nil, err
	}
	if err := bridge.CheckURL(url); err != nil {
		return nil, &usageError{text: "the URL of the server " + err.Error()}
	}
	r, err := p.connection(set, secrets, url)
	if err != nil {
		return nil, err
	}
	if isStatic(secrets.headers) {
		return &target{remote: r}, checkStatic(flags, secrets.clientSecret.value != nil)
	}
	if err := set.signIn.check(url, secrets.clientSecret, p.loopbackHTTP); err != nil {
		return nil, err
	}
	return &target{remote: r, access: &accessPlan{set: set, secrets: secrets}}, nil
}

// connection is how the server is reached.
func (p *process) connection(set *settings, secrets *credentials, url string) (*bridge.Remote, error) {
	proxy := proxyVariables(p.env)
	if err := bridge.CheckProxy(proxy); err != nil {
		return nil, &usageError{text: err.Error()}
	}
	r := &bridge.Remote{
		URL: bridge.NewSecret(url), Proxy: proxy,
		Response: set.responseBytes, Connect: set.connectTimeout, Idle: set.idleTimeout, RefuseRedirects: set.noRedirects,
	}
	for _, h := range secrets.headers {
		r.Headers = append(r.Headers, h.forBridge())
	}
	if set.caFile != "" {
		ca, err := readAuthorities(set.caFile)
		if err != nil {
			return nil, &usageError{option: "--ca-file", text: err.Error()}
		}
		r.CA = ca
	}
	return r, nil
}

// proxyVariables returns the variables that say by which proxy a server is reached.
func proxyVariables(env []string) []string {
	var proxy []string
	for _, variable := range env {
		switch key, _, _ := strings.Cut(variable, "="); strings.ToUpper(key) {
		case "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY":
			proxy = append(proxy, variable)
		}
	}
	return proxy
}

// checkServerCommand refuses a command line that names no server. It does not repeat an
// argument: it may hold a key.
func checkServerCommand(args, server []string) error {
	switch {
	case len(args) > 0:
		return &usageError{text: "unexpected argument; give the URL with https:// or http://, or the command of the server after --"}
	case server == nil:
		return &usageError{text: "no server; give its URL, or its command after --"}
	case len(server) == 0 || server[0] == "":
		return &usageError{text: "no command after --"}
	}
	return nil
}

// checkURL refuses args that are not one URL.
func checkURL(args []string) error {
	switch {
	case len(args) == 0:
		return &usageError{text: "no URL of a server"}
	case !isURL(args[0]):
		return &usageError{text: "unexpected argument; a URL starts with https:// or http://"}
	case len(args) == 1:
		return nil
	case len(args[1]) > 1 && args[1][0] == '-':
		option, _, _ := strings.Cut(args[1], "=")
		return &usageError{option: printable(option), text: "stands behind the URL; options come before it"}
	}
	return &usageError{text: "more than one argument; give one URL"}
}

func isURL(arg string) bool {
	scheme, _, ok := strings.Cut(arg, "://")
	return ok && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http"))
}

// checkAlone refuses arguments of a subcommand that takes none.
func checkAlone(command string, args, server []string) error {
	if err := checkNoServer(command, server); err != nil {
		return err
	}
	if len(args) > 0 {
		return &usageError{text: command + " takes no argument"}
	}
	return nil
}

func checkNoServer(command string, server []string) error {
	if server != nil {
		return &usageError{text: command + " takes no server; to start a server named " + command + ", write -- " + command}
	}
	return nil
}
