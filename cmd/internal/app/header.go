package app

import (
	"errors"
	"regexp"
	"strings"
)

// A header goes with each request to a server at a URL.
type header struct {
	name  string
	value secret
}

// A headerVariable is a header whose value is in the environment.
type headerVariable struct{ name, variable string }

// Only what has the shape of a name is ever repeated in an error. A header may be any
// token of RFC 9110, but one that looks like an option is a mistake.
var (
	headerName   = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z][!#$%&'*+.^_`|~0-9A-Za-z-]*$")
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

func parseHeader(s string) (header, error) {
	name, value, _ := strings.Cut(s, ":")
	value = strings.Trim(value, " \t")
	if !headerName.MatchString(name) || value == "" {
		return header{}, errors.New("takes a header as NAME:VALUE; for a secret there is --header-env")
	}
	return header{name, newSecret([]byte(value))}, nil
}

func parseHeaderVariable(s string) (headerVariable, error) {
	name, variable, _ := strings.Cut(s, "=")
	switch {
	case !headerName.MatchString(name), !variableName.MatchString(variable):
		return headerVariable{}, errors.New("takes NAME=VARIABLE, a header and the variable of the environment that holds its value")
	case sameName(variable, clientSecretVariable), sameName(variable, tokenKeyVariable):
		return headerVariable{}, errors.New("takes no variable that holds a secret of the bridge itself")
	}
	return headerVariable{name, variable}, nil
}
