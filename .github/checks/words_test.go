package checks

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// unwanted are traces of the place where a file was written, and notes that belong in a tracker.
var unwanted = []*regexp.Regexp{
	regexp.MustCompile(`(^|[\s"'(=]|file://)/(work|root|home/\w+|Users/\w+)/`),
	regexp.MustCompile(`(^|[\s"'(=]|file://)/tmp/\w`),
	regexp.MustCompile(`[A-Za-z]:\\Users\\`),
	regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|X` + `XX|HA` + `CK)\b`),
	regexp.MustCompile(`\b(registry|proxy)\.(npmjs|golang|yarnpkg)\.\w+|\bregistry\.npm` + `mirror\.\w+`),
	regexp.MustCompile(`(?i)\bissue #?\d+\b|\bstep \d+ of \d+\b`),
}

// unwantedWords do not describe the product. They are held as the first eight bytes of their
// hashes, or this file would not pass its own check.
var unwantedWords = []string{
	"d4f0bc5a29de06b5", "8c70b25cbbbe8e79", "94a168d2da574b00", "d298391b07433318",
	"c857d09db23e6822", "c70eca6b0f88f44d", "60965168ce762e94", "053ea4804ef1bb33",
	"487b91042c7cf27a", "e81d3b0e9d82feaa", "05d28061fe980168",
}

// termsOfTrade are combinations in which such a word is the usual name of a thing.
var termsOfTrade = regexp.MustCompile(`(?i)user[- _]?ag` + `ent|\.help` + `er\(\)`)

var word = regexp.MustCompile(`\p{L}+`)

// The repository speaks of the product alone. Recorded material is left as it was recorded.
func TestWords(t *testing.T) {
	for _, file := range files(t) {
		if slices.Contains(strings.Split(file, "/"), "testdata") || path.Base(file) == "package-lock.json" {
			continue
		}
		text := read(t, file)
		if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
			continue
		}
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			for _, re := range unwanted {
				if m := re.FindString(line); m != "" {
					t.Errorf("%s:%d: %q", file, n, strings.TrimSpace(m))
				}
			}
			for _, w := range word.FindAllString(termsOfTrade.ReplaceAllString(line, ""), -1) {
				if slices.Contains(unwantedWords, hash(w)) {
					t.Errorf("%s:%d: %q", file, n, w)
				}
			}
		}
	}
}

func hash(word string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(word)))
	return hex.EncodeToString(sum[:8])
}
