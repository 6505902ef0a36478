package app

import (
	"encoding/hex"
	"log/slog"
	"strings"

	"github.com/peterbourgon/ff/v4"
)

// tokenKeyVariable may hold the key of the kept sign-ins.
const tokenKeyVariable = "MCP_BRIDGE_TOKEN_KEY"

const keyFileOption = "token-key-file"

// tokenKeyBytes is the length of that key.
const tokenKeyBytes = 32

// A vault is what the options say about the kept sign-ins.
type vault struct {
	account string // label of one of several accounts at a server
	keyFile string // empty: the key does not come from a file
}

func (v *vault) addTo(fs *ff.FlagSet) {
	asItIs := func(s string) (string, error) { return s, nil }
	addValue(fs, "account", asItIs, &v.account)
	addValue(fs, keyFileOption, parsePath, &v.keyFile)
}

// flags returns the options of a subcommand that is about kept sign-ins alone.
func (v *vault) flags(command string) *ff.FlagSet {
	var level slog.Level
	fs := ff.NewFlagSet(command)
	addValue(fs, "log-level", parseLevel, &level)
	v.addTo(fs)
	return fs
}

// key returns the key that comes from outside, from a private file or from env. It is
// the zero secret if there is none.
func (v *vault) key(env []string) (secret, error) {
	text, err := bridgeSecret(env, tokenKeyVariable)
	if v.keyFile != "" {
		if text != "" || err != nil {
			return secret{}, &usageError{option: "--" + keyFileOption, text: "the variable " + tokenKeyVariable + " is set too; give one of them"}
		}
		return keyInFile(v.keyFile)
	}
	if text == "" {
		return secret{}, err
	}
	return parseKey(tokenKeyVariable, text)
}

// keyInFile reads a file that holds a key and at most one line break after it.
func keyInFile(path string) (secret, error) {
	text, err := readPrivateFile(path, 2*tokenKeyBytes+len("\r\n"))
	if err != nil {
		return secret{}, &usageError{option: "--" + keyFileOption, text: err.Error()}
	}
	return parseKey("--"+keyFileOption, strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"))
}

// parseKey reads a key from source, which is an option or a variable.
func parseKey(source, text string) (secret, error) {
	key, err := hex.DecodeString(text)
	if err != nil || len(key) != tokenKeyBytes {
		return secret{}, &usageError{option: source, text: "holds no key of 64 hex digits"}
	}
	return newSecret(key), nil
}
