package signin

import (
	"slices"
	"strings"
)

// scopeOffline asks for a refresh token, where an authorization server wants to be asked.
const scopeOffline = "offline_access"

// scopes are distinct scopes in the order in which they came up.
type scopes []string

// parseScopes reads a list of scopes with blanks between.
func parseScopes(text string) scopes { return scopes(nil).union(strings.Split(text, " ")) }

// union returns s and what there is more. What is not a scope by RFC 6749 is left out, and
// so is what goes beyond the limits.
func (s scopes) union(more []string) scopes {
	all := slices.Clone(s)
	size := len(strings.Join(all, " "))
	for _, scope := range more {
		if scope == "" || strings.ContainsFunc(scope, isNoScope) || slices.Contains(all, scope) {
			continue
		}
		if len(all) == maxScopes || size+1+len(scope) > maxScopeBytes {
			break
		}
		all = append(all, scope)
		size += 1 + len(scope)
	}
	return all
}

func (s scopes) without(scope string) scopes {
	return slices.DeleteFunc(slices.Clone(s), func(other string) bool { return other == scope })
}

func isNoScope(r rune) bool { return r <= ' ' || r == '"' || r == '\\' || r > '~' }

// covers reports whether every scope of more is in s.
func (s scopes) covers(more scopes) bool {
	return !slices.ContainsFunc(more, func(scope string) bool { return !slices.Contains(s, scope) })
}

func (s scopes) String() string { return strings.Join(s, " ") }

// A want is what a sign-in asks for.
type want struct {
	before     scopes   // of an earlier sign-in that this one must not fall behind
	challenged scopes   // that the server has just asked for
	resource   []string // that the server says there are
	configured []string
}

// scopes returns what is asked for: what the server asks for, or else what it says there
// is; never what an authorization server says there is, which is of all its resources. An
// earlier offline_access is not repeated: whether to ask for that is the server's each time.
func (w want) scopes() scopes {
	first := w.before.without(scopeOffline).union(w.challenged)
	if len(first) == 0 {
		first = first.union(w.resource)
	}
	return first.union(w.configured)
}

// hasOffline reports whether to ask a server for a refresh token.
func (s authServer) hasOffline() bool {
	return slices.Contains(s.scopes, scopeOffline) && (s.grants == nil || slices.Contains(s.grants, grantRefresh))
}
