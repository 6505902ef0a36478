package checks

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/checks/internal/workspace"
)

// logMethods maps a logging call to the position of its first attribute.
var logMethods = map[string]int{
	"Debug": 1, "Info": 1, "Warn": 1, "Error": 1,
	"DebugContext": 2, "InfoContext": 2, "WarnContext": 2, "ErrorContext": 2,
	"Log": 3, "LogAttrs": 3, "With": 0,
}

// Log lines hold attributes of a closed set only, which the package diag names. A key written as a
// literal would be one that nobody looked at, and slog.Any would print whatever it is given.
func TestLogAttributes(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() || s.pkg() == workspace.Prefix+"bridge/internal/diag" || !slices.Contains(s.imports(), "log/slog") {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "slog" {
				if sel.Sel.Name == "Any" || sel.Sel.Name == "AnyValue" {
					t.Errorf("%s: slog.%s", s.at(call), sel.Sel.Name)
				}
				if len(call.Args) > 1 && logMethods[sel.Sel.Name] == 0 && literal(call.Args[0]) {
					t.Errorf("%s: slog.%s with a literal key", s.at(call), sel.Sel.Name)
				}
			}
			if first, ok := logMethods[sel.Sel.Name]; ok {
				for i := first; i+1 < len(call.Args); i += 2 {
					if literal(call.Args[i]) {
						t.Errorf("%s: %s with a literal key", s.at(call), sel.Sel.Name)
					}
				}
			}
			return true
		})
	}
}

// Only diag decides how log lines look.
func TestLogHandlers(t *testing.T) {
	for _, s := range sources(t) {
		if s.test() || s.pkg() == workspace.Prefix+"bridge/internal/diag" {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				x, _ := sel.X.(*ast.Ident)
				if x != nil && x.Name == "slog" && slices.Contains([]string{"NewTextHandler", "NewJSONHandler", "SetDefault"}, sel.Sel.Name) {
					t.Errorf("%s: slog.%s outside diag", s.at(sel), sel.Sel.Name)
				}
			}
			return true
		})
	}
}

func literal(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}

// sandboxWords are what the editor takes for a sign that a sandbox is in the way.
var sandboxWords = regexp.MustCompile(`(?i)EACCES|EPERM|ENOENT|EROFS|fail|read-only|denying`)

// The texts of log lines hold none of the words at which the editor proposes to change a sandbox.
// Where texts reach a log call by way of variables, in the package session, each text counts.
//
// req: P21
func TestLogTexts(t *testing.T) {
	texts := map[string]int{}
	for _, s := range sources(t) {
		every := s.pkg() == workspace.Prefix+"bridge/internal/session"
		if s.test() || !every && !strings.HasPrefix(s.pkg(), workspace.Prefix+"cmd/") {
			continue
		}
		look := func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && strings.Contains(text.Value, " ") {
				texts[s.pkg()]++
				if w := sandboxWords.FindString(text.Value); w != "" {
					t.Errorf("%s: %s holds %q", s.at(text), text.Value, w)
				}
			}
			return true
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			if every {
				return look(n)
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && isLogMethod(sel.Sel.Name) {
				ast.Inspect(call, look)
			}
			return true
		})
	}
	for pkg, least := range map[string]int{"bridge/internal/session": 8, "cmd/internal/app": 6} {
		if got := texts[workspace.Prefix+pkg]; got < least {
			t.Errorf("%d texts were found in %s, want %d at least: the test looks in the wrong place", got, pkg, least)
		}
	}
}

func isLogMethod(name string) bool {
	_, ok := logMethods[name]
	return ok && name != "With"
}
