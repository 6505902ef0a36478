package lane

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/mcpwire"
)

// line appends a line of n bytes, the ending included.
func (q *queue) line(ex mcpwire.Exchange, n int) {
	q.copy(lit(ex, strings.Repeat("x", n-1)))
}

// A line of which a part is written cannot be taken back: the peer would read a torn
// one.
func TestRemoveLeavesALineThatIsBegun(t *testing.T) {
	var q queue
	q.copy(lit(1, "first"))
	q.copy(lit(2, "second"))
	q.take(100)
	if q.remove(1) || q.remove(2) {
		t.Error("remove = true for a line that is being written")
	}
	q.wrote(3)
	if q.remove(1) {
		t.Error("remove = true for a line that is partly written")
	}
	if !q.remove(2) {
		t.Error("remove = false for a line of which nothing is written")
	}
	if got, want := string(q.take(100)), "st\n"; got != want {
		t.Errorf("the rest is %q, want %q", got, want)
	}
}

func TestRemoveLowersTheSize(t *testing.T) {
	var q queue
	for ex := range mcpwire.Exchange(5) {
		q.line(ex+1, 10)
	}
	for removed, ex := range []mcpwire.Exchange{3, 5, 1, 4} {
		q.remove(ex)
		if got, want := q.size, 10*(4-removed); got != want {
			t.Errorf("size = %d after %d removals, want %d", got, removed+1, want)
		}
		if got, want := q.behind(), max(0, 10*(3-removed)); ex != 1 && removed < 2 && got != want {
			t.Errorf("behind = %d after %d removals, want %d", got, removed+1, want)
		}
	}
	if got, want := string(q.take(100)), strings.Repeat("x", 9)+"\n"; got != want {
		t.Errorf("the rest is %q, want %q", got, want)
	}
}

// What is taken back does not stay in memory, wherever it stands.
func TestTakenBackDoesNotGrow(t *testing.T) {
	for _, tt := range []struct {
		name string
		add  func(q *queue, ex mcpwire.Exchange) // and takes all but a few back
	}{
		{"the last line", func(q *queue, ex mcpwire.Exchange) {
			q.line(ex, 60_000)
			q.remove(ex)
		}},
		{"the last but one", func(q *queue, ex mcpwire.Exchange) {
			q.line(ex, 60_000)
			q.remove(ex - 1)
		}},
		{"short lines between others", func(q *queue, ex mcpwire.Exchange) {
			q.line(ex, 20)
			if ex > 50 && ex%100 != 0 {
				q.remove(ex - 50)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var q queue
			q.line(1, 5)
			q.take(5) // which is being written all the time
			for ex := range mcpwire.Exchange(5000) {
				tt.add(&q, ex+2)
			}
			if got, limit := len(q.buf), 2*moveAfter+2*60_000; got > limit {
				t.Errorf("the buffer holds %d bytes for %d, want at most %d", got, q.size, limit)
			}
			if got, limit := len(q.lines), 2*manyGone+200; got > limit {
				t.Errorf("the list holds %d lines, want at most %d", got, limit)
			}
		})
	}
}

// The lines that are left are the right ones, whatever was taken back between them,
// and the bytes that are being written stay where they are.
func TestCompactKeepsWhatIsLeft(t *testing.T) {
	var q queue
	var want strings.Builder
	text := func(ex mcpwire.Exchange) string { return fmt.Sprintf("%d:%s", ex, strings.Repeat("x", 5000)) }
	const lines = 100
	for ex := range mcpwire.Exchange(lines) {
		q.copy(lit(ex+1, text(ex+1)))
	}
	p := q.take(8000) // two lines, the second in part
	first := string(p)
	for ex := range mcpwire.Exchange(lines) {
		if keep := ex < 2 || ex%10 == 5; keep {
			want.WriteString(text(ex+1) + "\n")
		} else if !q.remove(ex + 1) {
			t.Fatalf("remove(%d) = false", ex+1)
		}
	}
	if string(p) != first {
		t.Error("bytes that are being written have changed")
	}
	if got, limit := len(q.buf), want.Len()+moveAfter; got > limit {
		t.Errorf("the buffer holds %d bytes, want at most %d", got, limit)
	}
	var got strings.Builder
	got.WriteString(string(p))
	q.wrote(len(p))
	for !q.empty() {
		p := q.take(3000)
		got.WriteString(string(p))
		q.wrote(len(p))
	}
	if got.String() != want.String() {
		t.Errorf("wrote %d bytes, want the %d bytes of the lines that are left", len(got.String()), want.Len())
	}
	if q.size != 0 || q.holes != 0 || q.gone != 0 {
		t.Errorf("at the end size, holes, gone = %d, %d, %d, want zeros", q.size, q.holes, q.gone)
	}
}

// An empty queue keeps memory of a usual size only.
func TestEmptyQueueGivesMemoryBack(t *testing.T) {
	var q queue
	for range keptLines + 1 {
		q.line(0, 100)
	}
	if cap(q.buf) <= keptBuffer {
		t.Fatal("the test needs more lines")
	}
	q.wrote(len(q.take(q.size)))
	if cap(q.buf) > keptBuffer || cap(q.lines) > keptLines {
		t.Errorf("the empty queue keeps %d bytes and room for %d lines", cap(q.buf), cap(q.lines))
	}
	q.line(0, 100)
	q.wrote(len(q.take(100)))
	if cap(q.buf) == 0 || cap(q.lines) == 0 {
		t.Error("the empty queue keeps nothing")
	}
}

// released reports whether nobody holds m any more.
func released(m interface{ Hold() }) (gone bool) {
	defer func() { gone = recover() != nil }()
	m.Hold()
	return false
}

// The chunks of a big line are given back as soon as nobody needs them.
func TestBigLineIsReleased(t *testing.T) {
	for name, end := range map[string]func(q *queue){
		"written":    func(q *queue) { q.wrote(len(q.take(10))); q.wrote(q.takeBig().size) },
		"taken back": func(q *queue) { q.take(10); q.remove(2) },
		"dropped":    func(q *queue) { q.take(10); q.drop() },
	} {
		t.Run(name, func(t *testing.T) {
			var q queue
			q.line(1, 10)
			r, m, _ := bigLine(t, 1<<20)
			q.hold(&mcpwire.Frame{Exchange: 2, Msg: m})
			q.line(3, 10)
			r.Read() // the reader does not hold it any more
			end(&q)
			if !released(m) {
				t.Error("the chunks are held")
			}
			if q.size > 20 {
				t.Errorf("size = %d, want that of short lines", q.size)
			}
		})
	}
}
