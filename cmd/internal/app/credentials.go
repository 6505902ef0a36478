package app

import (
	"slices"
	"strings"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// clientSecretVariable may hold the secret of a client that the person has registered.
const clientSecretVariable = "MCP_BRIDGE_CLIENT_SECRET"

// credentials are the secrets of a session with a server at a URL. No option takes one
// of them by its value, but for a header that the person chooses to write out.
type credentials struct {
	headers      []header
	clientSecret secret // the zero secret if there is none
	tokenKey     tokenvault.KeySource
}

// credentials takes the secrets from where s says they are. Its errors name the option,
// the header and the variable.
func (s *settings) credentials(env []string) (*credentials, error) {
	c := &credentials{}
	if err := s.gatherHeaders(c, env); err != nil {
		return nil, err
	}
	clientSecret, err := bridgeSecret(env, clientSecretVariable)
	if err != nil {
		return nil, err
	}
	if clientSecret != "" {
		c.clientSecret = newSecret([]byte(clientSecret))
	}
	c.tokenKey, err = s.signIn.vault.key(env)
	return c, err
}

// gatherHeaders takes the headers from wherever they are. Each may be given once.
func (s *settings) gatherHeaders(c *credentials, env []string) error {
	if err := c.add("--header", s.headers...); err != nil {
		return err
	}
	for _, v := range s.headerVariables {
		value, found := lookup(env, v.variable)
		forget(v.variable)
		if fault := blank(value, found); fault != "" {
			return &usageError{option: "--header-env", text: "header " + v.name + ": the variable " + v.variable + " " + fault}
		}
		h := header{v.name, newSecret([]byte(strings.Trim(value, " \t\r\n")))}
		if err := h.check(); err != nil {
			return &usageError{option: "--header-env", text: err.Error()}
		}
		if err := c.add("--header-env", h); err != nil {
			return err
		}
	}
	for _, path := range s.headerFiles {
		headers, err := headersInFile(path)
		if err != nil {
			return &usageError{option: "--header-file", text: err.Error()}
		}
		if err := c.add("--header-file", headers...); err != nil {
			return err
		}
	}
	return nil
}

func (c *credentials) add(option string, headers ...header) error {
	for _, h := range headers {
		if slices.ContainsFunc(c.headers, func(other header) bool { return strings.EqualFold(other.name, h.name) }) {
			return &usageError{option: option, text: "header " + h.name + " is given twice"}
		}
		c.headers = append(c.headers, h)
	}
	return nil
}

// bridgeSecret returns a secret that is the bridge's own and may be absent.
func bridgeSecret(env []string, variable string) (string, error) {
	value, found := lookup(env, variable)
	if !found {
		return "", nil
	}
	if fault := blank(value, found); fault != "" {
		return "", &usageError{option: variable, text: "the variable " + fault}
	}
	return value, nil
}

// blank says why the value of a variable is none; it is empty if there is a value.
func blank(value string, found bool) string {
	switch {
	case !found:
		return "is not set"
	case value == "":
		return "is empty"
	case strings.TrimSpace(value) == "":
		return "is blank"
	}
	return ""
}
