package app

import (
	"flag"
	"log/slog"
	"strconv"
	"time"

	"github.com/peterbourgon/ff/v4"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// settings are the values of the options that go with a server.
type settings struct {
	logLevel        slog.Level
	discoverTimeout time.Duration // how long server/discover may stay unanswered
	maxLineBytes    int
	era             mcpwire.Eras // of the server

	// For a server that runs as a command.
	envAllow       []string // variables that the server gets; nil: those it inherits
	allowBatchFile bool

	// For a server at a URL.
	headers         []header
	headerVariables []headerVariable
	headerFiles     []string
	caFile          string // empty: the system's authorities alone
	responseBytes   int    // longest response or event; of this and what follows, zero is what the bridge does by itself
	noRedirects     bool
	connectTimeout  time.Duration
	idleTimeout     time.Duration // of a stream of notifications
	signIn          signIn
}

func defaults() *settings {
	return &settings{
		logLevel:        slog.LevelInfo,
		discoverTimeout: 60 * time.Second,
		maxLineBytes:    64 * mebibyte,
	}
}

// flags returns the options of a command that set s.
func (s *settings) flags(command string) *ff.FlagSet {
	fs := ff.NewFlagSet(command)
	addValue(fs, "log-level", parseLevel, &s.logLevel)
	addValue(fs, "discover-timeout", parseDuration, &s.discoverTimeout)
	addValue(fs, "max-line-bytes", parseSize, &s.maxLineBytes)
	addEach(fs, "env-allow", parseVariable, &s.envAllow)
	addSwitch(fs, "allow-batch-file", &s.allowBatchFile)
	addValue(fs, "upstream-era", parseEra, &s.era)
	addCheck(fs, "discover", checkDiscover)
	addEach(fs, "header", parseHeader, &s.headers)
	addEach(fs, "header-env", parseHeaderVariable, &s.headerVariables)
	addEach(fs, "header-file", parsePath, &s.headerFiles)
	addValue(fs, "ca-file", parsePath, &s.caFile)
	addValue(fs, "max-response-bytes", parseSize, &s.responseBytes)
	addValue(fs, "redirects", parseRedirects, &s.noRedirects)
	addValue(fs, "connect-timeout", parseDuration, &s.connectTimeout)
	addValue(fs, "idle-timeout", parseDuration, &s.idleTimeout)
	s.signIn.addTo(fs)
	return fs
}

// Options that go with one of the two kinds of server only.
var (
	commandOptions = []string{"env-allow", "allow-batch-file"}
	urlOptions     = append([]string{
		"header", "header-env", "header-file", "ca-file", "max-response-bytes", "redirects", "connect-timeout", "idle-timeout",
	}, signInOptions...)
)

// checkSet refuses any of options that is set. Text says what they are for.
func checkSet(flags ff.Flags, options []string, text string) error {
	for _, option := range options {
		if f, ok := flags.GetFlag(option); ok && f.IsSet() {
			return &usageError{option: "--" + option, text: text}
		}
	}
	return nil
}

// addValue adds an option that sets p to what parse makes of its argument. An
// error of parse says what the option takes, not what it got.
func addValue[T any](fs *ff.FlagSet, option string, parse func(string) (T, error), p *T) {
	add(fs, option, &optionValue{set: func(s string) error {
		v, err := parse(s)
		if err != nil {
			return &usageError{option: "--" + option, text: err.Error()}
		}
		*p = v
		return nil
	}})
}

// addEach adds an option that may be given several times: each adds what parse makes
// of its argument to p.
func addEach[T any](fs *ff.FlagSet, option string, parse func(string) (T, error), p *[]T) {
	var v T
	addValue(fs, option, func(s string) (T, error) {
		got, err := parse(s)
		if err == nil {
			*p = append(*p, got)
		}
		return got, err
	}, &v)
}

// addCheck adds an option whose values, as far as they work yet, ask for what is done
// anyway.
func addCheck(fs *ff.FlagSet, option string, check func(string) error) {
	var v struct{}
	addValue(fs, option, func(s string) (struct{}, error) { return v, check(s) }, &v)
}

// addSwitch adds an option without an argument, which sets p.
func addSwitch(fs *ff.FlagSet, option string, p *bool) {
	add(fs, option, switchValue{optionValue{set: func(s string) error {
		on, err := strconv.ParseBool(s)
		if err != nil {
			return &usageError{option: "--" + option, text: "takes no value"}
		}
		*p = on
		return nil
	}}})
}

func add(fs *ff.FlagSet, option string, v flag.Value) {
	if _, err := fs.AddFlag(ff.FlagConfig{LongName: option, Value: v}); err != nil {
		panic(err) // two options of one name
	}
}

type optionValue struct {
	set func(string) error
}

func (v *optionValue) Set(s string) error { return v.set(s) }
func (v *optionValue) String() string     { return "" }

type switchValue struct {
	optionValue
}

func (v switchValue) Set(s string) error { return v.set(s) }
func (v switchValue) String() string     { return switchText }
func (v switchValue) IsBoolFlag() bool   { return true }

// switchText is the text of a switch, by which offender tells it from an option
// with an argument.
const switchText = "switch"
