package checks

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	inlineLink    = regexp.MustCompile(`\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)`)
	referenceLink = regexp.MustCompile(`(?m)^\[[^\]]+\]:\s+<?(\S+?)>?$`)
	codeSpan      = regexp.MustCompile("`[^`\n]*`")
	heading       = regexp.MustCompile(`(?m)^#{1,6}\s+(.+?)\s*#*$`)
	notInAnchor   = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
	scheme        = regexp.MustCompile(`^[a-z][a-z0-9+.-]*:`)
)

// Links between the documents lead somewhere. Addresses elsewhere are not looked up: a check must
// not depend on the network.
func TestDocumentLinks(t *testing.T) {
	for _, doc := range files(t) {
		if path.Ext(doc) != ".md" {
			continue
		}
		text := withoutFences(string(read(t, doc)))
		for _, re := range []*regexp.Regexp{inlineLink, referenceLink} {
			for _, m := range re.FindAllStringSubmatch(codeSpan.ReplaceAllString(text, ""), -1) {
				if !scheme.MatchString(m[1]) {
					checkLink(t, doc, m[1])
				}
			}
		}
	}
}

func checkLink(t *testing.T, doc, link string) {
	t.Helper()
	target, anchor, _ := strings.Cut(link, "#")
	file := doc
	if target != "" {
		file = path.Join(path.Dir(doc), target)
	}
	if strings.HasPrefix(file, "../") || strings.HasPrefix(target, "/") {
		t.Errorf("%s: link %s leaves the repository", doc, link)
		return
	}
	info, err := os.Stat(filepath.Join(repo(t).Root, filepath.FromSlash(file)))
	if err != nil {
		t.Errorf("%s: link %s leads nowhere", doc, link)
		return
	}
	if anchor != "" && (info.IsDir() || !anchors(withoutFences(string(read(t, file))))[anchor]) {
		t.Errorf("%s: link %s: no such heading", doc, link)
	}
}

// anchors are the names that the forge gives to the headings of a document.
func anchors(text string) map[string]bool {
	out := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		name := inlineLink.ReplaceAllString(m[1], "]")
		name = notInAnchor.ReplaceAllString(strings.ToLower(name), "")
		out[strings.ReplaceAll(name, " ", "-")] = true
	}
	return out
}

func withoutFences(text string) string {
	var out strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inside = !inside
			continue
		}
		if !inside {
			out.WriteString(line)
		}
	}
	return out.String()
}
