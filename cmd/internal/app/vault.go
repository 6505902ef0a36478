package app

import (
	"encoding/hex"
	"errors"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/peterbourgon/ff/v4"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// tokenKeyVariable may hold the key of the kept sign-ins.
const tokenKeyVariable = "MCP_BRIDGE_TOKEN_KEY"

const (
	storeOption   = "token-store"
	dirOption     = "token-dir"
	keyFileOption = "token-key-file"
)

// tokenKeyBytes is the length of that key.
const tokenKeyBytes = 32

// keychainService is the name of the bridge in a keychain (S11). With another one, every
// kept sign-in is lost.
const keychainService = "trestle/mcp-bridge-vscode"

// A vault is what the options say about the kept sign-ins.
type vault struct {
	account string // label of one of several accounts at a server
	mode    tokenvault.Mode
	dir     string // absolute; empty: the one of the system
	keyFile string // empty: the key does not come from a file
}

// vaultOptions are the options of a vault.
var vaultOptions = []string{"account", storeOption, dirOption, keyFileOption}

func (v *vault) addTo(fs *ff.FlagSet) {
	addValue(fs, "account", parseAccount, &v.account)
	addValue(fs, storeOption, parseStore, &v.mode)
	addValue(fs, dirOption, parseDir, &v.dir)
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

// check refuses options that do not go together.
func (v *vault) check() error {
	option := ""
	switch {
	case v.dir != "" && v.mode == tokenvault.Memory:
		option = dirOption
	case v.keyFile != "" && (v.mode == tokenvault.Memory || v.mode == tokenvault.Keychain):
		option = keyFileOption
	default:
		return nil
	}
	return &usageError{option: "--" + option, text: "has no effect with --token-store " + v.mode.String()}
}

// accountLabel is what [bridge.SignIn] takes, but for none.
var accountLabel = regexp.MustCompile(`^[A-Za-z0-9._@-]{1,64}$`)

func parseAccount(s string) (string, error) {
	if !accountLabel.MatchString(s) {
		return "", errors.New("takes 1 to 64 of A-Z, a-z, 0-9 and ._@-")
	}
	return s, nil
}

func parseStore(s string) (tokenvault.Mode, error) {
	for _, m := range []tokenvault.Mode{tokenvault.Auto, tokenvault.Keychain, tokenvault.File, tokenvault.Memory} {
		if s == m.String() {
			return m, nil
		}
	}
	return 0, errors.New("takes auto, keychain, file or memory")
}

func parseDir(s string) (string, error) {
	if path, err := filepath.Abs(s); s != "" && err == nil {
		return path, nil
	}
	return "", errors.New("takes the path of a directory")
}

// key returns where the key comes from that is not in a keychain: a private file, or env.
// It is zero if there is none. What is wrong with one is said even if it is not needed.
func (v *vault) key(env []string) (tokenvault.KeySource, error) {
	text, err := bridgeSecret(env, tokenKeyVariable)
	if v.keyFile != "" {
		if text != "" || err != nil {
			return tokenvault.KeySource{}, &usageError{option: "--" + keyFileOption, text: "the variable " + tokenKeyVariable + " is set too; give one of them"}
		}
		return keyInFile(v.keyFile)
	}
	if text == "" {
		return tokenvault.KeySource{}, err
	}
	if err := checkKey(tokenKeyVariable, text); err != nil {
		return tokenvault.KeySource{}, err
	}
	return tokenvault.KeyFromHex(tokenvault.NewSecret([]byte(text))), nil
}

// stores says how to open stores for a subcommand that is about kept sign-ins alone.
func (v *vault) stores(env []string) (tokenvault.Config, error) {
	if v.mode == tokenvault.Memory {
		return tokenvault.Config{}, &usageError{option: "--" + storeOption, text: "takes auto, keychain or file here: what is in memory ends with its bridge"}
	}
	if err := v.check(); err != nil {
		return tokenvault.Config{}, err
	}
	key, err := v.key(env)
	if err != nil {
		return tokenvault.Config{}, err
	}
	return v.config(env, key)
}

// keyInFile takes a file that holds a key and at most one line break after it. It is read
// once more by the vault, which does not take one from inside its own directory.
func keyInFile(path string) (tokenvault.KeySource, error) {
	text, err := readPrivateFile(path, 2*tokenKeyBytes+len("\r\n"))
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return tokenvault.KeySource{}, &usageError{option: "--" + keyFileOption, text: err.Error()}
	}
	if err := checkKey("--"+keyFileOption, strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")); err != nil {
		return tokenvault.KeySource{}, err
	}
	return tokenvault.KeyFromFile(path), nil
}

// checkKey refuses what is no key. Its source is an option or a variable.
func checkKey(source, text string) error {
	if key, err := hex.DecodeString(text); err != nil || len(key) != tokenKeyBytes {
		return &usageError{option: source, text: "holds no key of 64 hex digits"}
	}
	return nil
}
