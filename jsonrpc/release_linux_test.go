package jsonrpc

import (
	"bytes"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// T8: the memory of chunks goes back by itself when nothing big comes, whether or not
// somebody keeps the chunks: behind a page that went back is nothing but zeros.
func TestT8PagesGoBackWhenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &chunkPool{}
		defer p.close()
		c := p.take(1 << chunkShift)
		for i := range c {
			c[i] = 'x'
		}
		p.give([][]byte{c[:10]})
		time.Sleep(idleAfter - 1)
		synctest.Wait()
		if n := bytes.Count(c, []byte("x")); n != len(c) {
			t.Errorf("%d of %d bytes are there before it is idle, want all", n, len(c))
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if n := bytes.Count(c, []byte("x")); n != 0 {
			t.Errorf("%d of %d bytes are there after %v, want none", n, len(c), idleAfter)
		}
	})
}

// What shares a page with the end of a chunk is not touched.
func TestOnlyWholePagesGoBack(t *testing.T) {
	page := syscall.Getpagesize()
	b := bytes.Repeat([]byte("x"), 1<<chunkShift) // large enough to begin at a page
	for _, part := range [][]byte{b[:0], b[:1], b[:32], b[:page-1], b[:page+1], b[8:][:page]} {
		returnPages(part)
		if n := bytes.Count(b, []byte("x")); n != len(b) {
			t.Errorf("%d bytes were lost when %d went back", len(b)-n, len(part))
		}
	}
	returnPages(b[:page])
	if n := bytes.Count(b, []byte("x")); n != len(b)-page {
		t.Errorf("%d bytes are left of %d when one page of %d went back", n, len(b), page)
	}
}
