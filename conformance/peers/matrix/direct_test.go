package matrix

import (
	"path/filepath"
	"slices"
	"testing"
)

// Without a bridge the front and the server of each revision understand each other, so what
// fails only with a bridge between is the bridge's.
func TestDirect(t *testing.T) {
	programs := prepared(t)
	const core = 8 // the first features, which the revisions share
	names := []string{"url", "form", "sampling", "roots", "changed", "subscribe"}
	for _, rev := range revisions {
		t.Run(rev, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			record := filepath.Join(dir, "upstream.jsonl")
			p := &pair{up: upstream{scripted: rev, tools: scriptedTools, updates: resourceURI}, rev: rev}
			p.front = open(t, rev, dir, programs.tap, record, programs.own, serveWord, rev)
			for i, f := range features {
				if f.has(p) && (i < core || slices.Contains(names, f.name)) {
					t.Run(f.name, func(t *testing.T) { f.works(t, p) })
				}
			}
			p.end()
			t.Run("frames", func(t *testing.T) { judge(t, programs.kit, p, record) })
		})
	}
}
