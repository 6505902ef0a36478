package jsonrpc

import (
	"bytes"
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
		time.Sleep(1)
		synctest.Wait()
		if n := bytes.Count(c, []byte("x")); n != 0 {
			t.Errorf("%d of %d bytes are there after %v, want none", n, len(c), idleAfter)
		}
	})
}
