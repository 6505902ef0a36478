package app

import (
	"errors"
	"flag"
	"log/slog"
	"strconv"
	"strings"
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
		maxLineBytes:    64 * mebibyte,
	}
}

// flags returns the options that set s.
func (s *settings) flags() *ff.FlagSet {
	fs := ff.NewFlagSet(name)
	addValue(fs, "log-level", parseLevel, &s.logLevel)
	addValue(fs, "discover-timeout", parseDuration, &s.discoverTimeout)
	addValue(fs, "max-line-bytes", parseSize, &s.maxLineBytes)
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

// Units of a size.
const (
	kibibyte = 1 << 10
	mebibyte = 1 << 20
)

// maxSize bounds a size, so that what the bridge makes of it is a number in 32 bits.
const maxSize = 512 * mebibyte

// parseSize reads a number of bytes, or of the unit that stands behind it.
func parseSize(s string) (int, error) {
	number, unit := s, 1
	if n, ok := strings.CutSuffix(s, "KiB"); ok {
		number, unit = n, kibibyte
	} else if n, ok := strings.CutSuffix(s, "MiB"); ok {
		number, unit = n, mebibyte
	}
	n, err := strconv.Atoi(number)
	if err != nil || n <= 0 || n > maxSize/unit {
		return 0, errors.New("takes a size from 1 to 512MiB such as 65536, 512KiB or 64MiB")
	}
	return n * unit, nil
}
