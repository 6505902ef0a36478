package app

import "strings"

// clientSecretVariable may hold the secret of a client that the person has registered.
const clientSecretVariable = "MCP_BRIDGE_CLIENT_SECRET"

// credentials are the secrets of a session with a server at a URL. No option takes one
// of them by its value, but for a header that the person chooses to write out.
type credentials struct {
	headers      []header
	clientSecret secret // the zero secret if there is none
	tokenKey     secret // likewise
}

// credentials takes the secrets from where s says they are. Its errors name the option,
// the header and the variable.
func (s *settings) credentials(env []string) (*credentials, error) {
	c := &credentials{headers: s.headers}
	for _, h := range s.headerVariables {
		value, found := lookup(env, h.variable)
		if fault := blank(value, found); fault != "" {
			return nil, &usageError{option: "--header-env", text: "header " + h.name + ": the variable " + h.variable + " " + fault}
		}
		c.headers = append(c.headers, header{h.name, newSecret([]byte(value))})
	}
	clientSecret, err := bridgeSecret(env, clientSecretVariable)
	if err != nil {
		return nil, err
	}
	if clientSecret != "" {
		c.clientSecret = newSecret([]byte(clientSecret))
	}
	c.tokenKey, err = s.vault.key(env)
	return c, err
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
