package checks

import (
	"encoding/json"
	"go/ast"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	pagesDir     = ".github/pages"
	pagesSite    = "https://trestle-mcp.github.io/trestle" // where GitHub serves that directory
	documentFile = pagesDir + "/mcp-bridge-vscode.json"
	signinDir    = "bridge/internal/signin"
)

// The client ID metadata document says who the bridge is, and nothing more: its client_id is the
// address where it lies, and its one redirect URI is that of the default port.
//
// req: S12
func TestS12Document(t *testing.T) {
	var got map[string]any
	if err := json.Unmarshal(read(t, documentFile), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"client_id":                  pagesSite + "/" + path.Base(documentFile),
		"client_name":                "mcp-bridge-vscode (trestle)",
		"redirect_uris":              []any{"http://127.0.0.1:41894/callback"},
		"grant_types":                []any{"authorization_code", "refresh_token"},
		"response_types":             []any{"code"},
		"application_type":           "native",
		"token_endpoint_auth_method": "none",
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("member %q", name)
		}
	}
	for name, value := range want {
		if !reflect.DeepEqual(got[name], value) {
			t.Errorf("%s = %q, want %q", name, got[name], value)
		}
	}
	if n := strings.Count(string(read(t, documentFile)), `":`); n != len(want) {
		t.Errorf("%d members are written, want %d: one twice?", n, len(want))
	}
}

// The document and a registration say the same, and the binary names the document or none. What
// else the bridge is in there it is by the same constants.
//
// req: S12
func TestS12DocumentIsTheBridge(t *testing.T) {
	var document map[string]any
	if err := json.Unmarshal(read(t, documentFile), &document); err != nil {
		t.Fatal(err)
	}
	constants := signinConstants(t)
	if got := constants["clientName"]; got != document["client_name"] {
		t.Errorf("the bridge is %q, in the document %q", got, document["client_name"])
	}
	redirects, _ := document["redirect_uris"].([]any)
	if got := constants["projectRedirect"]; len(redirects) != 1 || got != redirects[0] {
		t.Errorf("the document is taken for %q, and lists %q", got, redirects)
	}
	if got, named := constants["projectDocument"]; !named || got != "" && got != document["client_id"] {
		t.Errorf("the bridge names %q, and the document is %q", got, document["client_id"])
	}
	members := slices.Sorted(maps.Keys(document))
	members = slices.DeleteFunc(members, func(name string) bool { return name == "client_id" })
	if want := registered(t); !slices.Equal(members, want) {
		t.Errorf("members %q, of a registration %q", members, want)
	}
}

// Only a release publishes the directory, all that lies there has an owner, and the page on
// releases says what protects it.
//
// req: S12
func TestS12Publication(t *testing.T) {
	workflow := string(read(t, ".github/workflows/pages.yml"))
	for _, want := range []string{
		"\non:\n  push:\n    tags: [\"cmd/v*\"]\n\n", "path: " + pagesDir + "\n", "environment: github-pages\n",
		"run: git merge-base --is-ancestor HEAD origin/main\n", "-run '^TestS12'\n",
	} {
		if strings.Count(workflow, want) != 1 {
			t.Errorf("pages.yml lacks %q", want)
		}
	}
	for _, file := range files(t) {
		if strings.HasPrefix(file, pagesDir+"/") && file != documentFile {
			t.Errorf("%s would be published", file)
		}
	}
	owned := false
	for line := range strings.Lines(string(read(t, ".github/CODEOWNERS"))) {
		fields := strings.Fields(line)
		owned = owned || len(fields) == 2 && fields[0] == "/"+pagesDir+"/" && strings.HasPrefix(fields[1], "@")
	}
	if !owned {
		t.Errorf("%s has no owner", pagesDir)
	}
	releasing := string(read(t, "RELEASING.md"))
	for _, want := range []string{documentFile, pagesSite + "/" + path.Base(documentFile), "`projectDocument`", "main branch takes changes by pull request only"} {
		if !strings.Contains(releasing, want) {
			t.Errorf("RELEASING.md lacks %q", want)
		}
	}
}

// signinConstants are the texts that the package of the sign-in gives a name.
func signinConstants(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, s := range signinSources(t) {
		ast.Inspect(s.ast, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if ok && len(v.Values) == len(v.Names) {
				for i, name := range v.Names {
					out[name.Name] = textOf(v.Values[i])
				}
			}
			return !ok
		})
	}
	return out
}

// registered are the members of a registration, sorted.
func registered(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, s := range signinSources(t) {
		for _, d := range s.ast.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Name.Name != "register" {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if pair, ok := n.(*ast.KeyValueExpr); ok {
					if name := textOf(pair.Key); name != "" {
						out = append(out, name)
					}
				}
				return true
			})
		}
	}
	slices.Sort(out)
	return out
}

func signinSources(t *testing.T) []source {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(sources(t)), func(s source) bool { return s.test() || path.Dir(s.file) != signinDir })
}

// textOf is what the literal of a string says. It is empty for other expressions.
func textOf(e ast.Expr) string {
	if !literal(e) {
		return ""
	}
	text, _ := strconv.Unquote(e.(*ast.BasicLit).Value) // which has been parsed
	return text
}
