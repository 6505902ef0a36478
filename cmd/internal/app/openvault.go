package app

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// config says how a store of v is opened.
func (v *vault) config(env []string, key tokenvault.KeySource) (tokenvault.Config, error) {
	c := tokenvault.Config{Mode: v.mode, Service: keychainService, Dir: v.dir, Key: key}
	if state := stateDir(env); c.Dir == "" && state != "" {
		c.Dir = filepath.Join(state, "tokens")
	}
	if mayPrompt(env) {
		c.Prompt = tokenvault.PromptAllowed
	}
	if c.Dir == "" && v.mode != tokenvault.Memory {
		return c, &usageError{option: "--" + dirOption, text: "the system names no directory for the kept sign-ins; give one"}
	}
	return c, nil
}

// mayPrompt reports whether somebody sits in front of this machine, who can answer a
// dialog of the keychain. Over SSH a display is often set that is somewhere else.
func mayPrompt(env []string) bool {
	return !isSet(env, "SSH_CONNECTION") && !isSet(env, "SSH_TTY") && !isSet(env, "CI") && hasDisplay(env)
}

// openVault opens the store for a session, and says on stderr which one that is (V01). One
// that was asked for is not replaced by another (V04).
func (p *process) openVault(ctx context.Context, v *vault, key tokenvault.KeySource, l *slog.Logger) (tokenvault.Store, error) {
	c, err := v.config(p.env, key)
	switch {
	case err != nil && v.mode != tokenvault.Auto:
		return nil, err
	case err != nil:
		l.Warn("the system names no directory for the kept sign-ins, using memory; --token-dir names one")
		c.Mode = tokenvault.Memory
	case v.mode == tokenvault.File && key.IsZero():
		return nil, &usageError{option: "--" + storeOption, text: "file needs a key; give " + keySources}
	}
	store, err := tokenvault.Open(ctx, c)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &usageError{option: "--" + storeOption, text: failing(err, v.mode) + " does not open: " + reason(err) + without(err, v.mode)}
	}
	sayStore(l, store.Status())
	return store, nil
}

// sayStore says which store was taken, and which were not.
func sayStore(l *slog.Logger, s tokenvault.Status) {
	for i, skip := range s.Skipped {
		next := s.Kind
		if i+1 < len(s.Skipped) {
			next = s.Skipped[i+1].Kind
		}
		l.Warn(storeName(skip.Kind) + " unavailable, using " + next.String() + remedy(skip.Err, next))
	}
	l.Info("token store: " + s.Kind.String())
}

// remedy says what helps where a store was left out, or nothing. It holds no word by which
// an editor finds its sandbox.
func remedy(err error, next tokenvault.Mode) string {
	switch {
	case errors.Is(err, tokenvault.ErrLocked):
		return "; it is locked"
	case errors.Is(err, tokenvault.ErrTimeout):
		return "; it does not answer"
	case errors.Is(err, tokenvault.ErrKey):
		return "; it has lost the key of the kept sign-ins, and logout --all begins anew"
	case errors.Is(err, tokenvault.ErrNotWritable):
		return "; nothing can be written to the directory"
	case next == tokenvault.Memory:
		return "; each start signs in anew, unless there is a key for files: " + keySources
	}
	return ""
}

// keySources are the ways to give the key of the files.
const keySources = "--" + keyFileOption + " or the variable " + tokenKeyVariable

// without says what there is beside a keychain that was asked for and is not there.
func without(err error, mode tokenvault.Mode) string {
	if mode == tokenvault.Keychain && errors.Is(err, tokenvault.ErrUnavailable) {
		return "; --" + storeOption + " file needs none, but a key"
	}
	return ""
}

// failing is the store that an error is about, which for auto is one of several.
func failing(err error, mode tokenvault.Mode) string {
	if e, ok := errors.AsType[*tokenvault.Error](err); ok {
		mode = e.Store
	}
	return storeName(mode)
}

// reason is what is wrong with a store, in words that hold no path and no name.
func reason(err error) string {
	e, ok := errors.AsType[*tokenvault.Error](err)
	switch {
	case !ok:
		return err.Error() // of package bridge, or of a context
	case e.Detail == "":
		return e.Err.Error()
	case e.Store == tokenvault.File && errors.Is(err, tokenvault.ErrKey):
		return e.Err.Error() + ": " + e.Detail + "; give the one that seals the files with " + keySources + ", or delete them with logout --all"
	}
	return e.Err.Error() + ": " + e.Detail
}
