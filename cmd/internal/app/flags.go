package app

import (
	"errors"
	"flag"
	"log/slog"
	"strconv"
	"time"

	"github.com/peterbourgon/ff/v4"
)

// settings are the values of the options in front of a server.
type settings struct {
	logLevel        slog.Level
	discoverTimeout time.Duration // how long server/discover may stay unanswered
	maxLineBytes    int
	version         bool
}

func defaults() *settings {
	return &settings{
		logLevel:        slog.LevelInfo,
		discoverTimeout: 60 * time.Second,
		maxLineBytes:    64 << 20,
	}
}

// flags returns the options that set s.
func (s *settings) flags() *ff.FlagSet {
	fs := ff.NewFlagSet(name)
	addValue(fs, "log-level", parseLevel, &s.logLevel)
	addValue(fs, "discover-timeout", parseDuration, &s.discoverTimeout)
	addValue(fs, "max-line-bytes", parseBytes, &s.maxLineBytes)
	addSwitch(fs, "version", &s.version)
	return fs
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

func parseLevel(s string) (slog.Level, error) {
	switch s {
	case "error":
		return slog.LevelError, nil
	case "warn":
		return slog.LevelWarn, nil
	case "info":
		return slog.LevelInfo, nil
	case "debug":
		return slog.LevelDebug, nil
	}
	return 0, errors.New("takes error, warn, info or debug")
}

// parseDuration reads a duration in Go syntax. A bare number is seconds. No limit
// can be switched off, so it must be above zero.
func parseDuration(s string) (time.Duration, error) {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		s += "s"
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, errors.New("takes a time above zero such as 90s or 2m; a bare number is seconds")
	}
	return d, nil
}

func parseBytes(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n <= 0 {
		return 0, errors.New("takes a number of bytes above zero")
	}
	return n, nil
}
