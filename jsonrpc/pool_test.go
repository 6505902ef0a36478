package jsonrpc

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// T8: what a big line took is used again, and given back when nothing big comes.
func TestChunksAreUsedAgainAndGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, q := Pipe()
		defer q.Close()
		line := sized(40 << chunkShift)
		go func() {
			for range 3 {
				io.WriteString(p, line+"\n")
			}
			time.Sleep(time.Hour)
			io.WriteString(p, good+"\n")
			p.Close()
		}()
		r := NewReader(q, nil)
		used := map[*byte]bool{}
		for range 3 {
			m, err := r.Read()
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range m.big.chunks {
				used[&c[:1][0]] = true
			}
		}
		if len(used) > 42 {
			t.Errorf("3 lines took %d chunks, want those of one", len(used))
		}
		start := time.Now()
		done := make(chan struct{})
		go func() {
			defer close(done)
			if _, err := r.Read(); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		if n := kept(r.pool); n < 40 {
			t.Errorf("%d chunks are free before it is idle, want 40 or more", n)
		}
		time.Sleep(idleAfter)
		synctest.Wait()
		if n := kept(r.pool); n != 0 {
			t.Errorf("%d chunks are free after %v, want none", n, time.Since(start))
		}
		<-done
		if _, err := r.Read(); err != io.EOF || kept(r.pool) != 0 {
			t.Errorf("at the end: %v and %d free chunks, want EOF and none", err, kept(r.pool))
		}
	})
}

// The pool keeps a bounded number of chunks, and lets go of them each time that
// nothing big came for a while.
func TestPoolRestsAgainAndAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &chunkPool{}
		chunks := func() [][]byte { return make([][]byte, maxFree-10) }
		for range 3 {
			p.give(chunks())
			time.Sleep(idleAfter - 1)
			p.give(chunks())
			time.Sleep(idleAfter - 1)
			synctest.Wait()
			if n := kept(p); n != maxFree {
				t.Errorf("%d chunks are kept before it is idle, want %d", n, maxFree)
			}
			time.Sleep(time.Nanosecond)
			synctest.Wait()
			if n := kept(p); n != 0 {
				t.Errorf("%d chunks are kept when it is idle", n)
			}
		}
		p.close()
	})
}

// A message that is held past the end of the stream stays whole.
func TestHoldPastTheEnd(t *testing.T) {
	line := sized(3 * readSize)
	r := NewReader(strings.NewReader(line), nil)
	m, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	m.Hold()
	if _, err := r.Read(); err != io.EOF {
		t.Fatal(err)
	}
	if got := string(m.AppendEdited(nil, nil)); got != line {
		t.Error("the message changed")
	}
	m.Release()
	if kept(r.pool) != 0 {
		t.Error("chunks are kept after the end")
	}
}

func kept(p *chunkPool) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.free)
}
