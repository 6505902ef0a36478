package app

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/trestle-mcp/trestle/bridge"
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
	h := header{name, newSecret([]byte(value))}
	return h, h.check()
}

// check refuses a header that must not go to a server (P08).
func (h header) check() error {
	if err := bridge.CheckHeader(h.forBridge()); err != nil {
		return errors.New("header " + h.name + " " + err.Error())
	}
	return nil
}

func (h header) forBridge() bridge.Header {
	return bridge.Header{Name: h.name, Value: h.value.forBridge()}
}

// maxHeaderFile bounds a file with headers, in bytes.
const maxHeaderFile = 64 * kibibyte

// headersInFile reads a private file with one header on each line. Lines may be blank.
func headersInFile(path string) ([]header, error) {
	text, err := readPrivateFile(path, maxHeaderFile)
	if err != nil {
		return nil, err
	}
	var headers []header
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.Trim(line, " \t\r\n"); line == "" {
			continue
		}
		h, err := parseHeader(line)
		if err != nil {
			return nil, errors.New("line " + strconv.Itoa(number) + " is no header as NAME: VALUE that may go to a server")
		}
		headers = append(headers, h)
	}
	return headers, nil
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
