//go:build unix

package tokenvault_test

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// A process that is stopped in the middle of a refresh keeps its lock. Others read,
// and are told in time that they cannot write. When it goes on, all do.
func TestThreat32StoppedInARefresh(t *testing.T) {
	s := newTokenServer(t)
	c := fileConfig(newDir(t))
	c.Timeouts.Lock = 100 * time.Millisecond
	v := open(t, c)
	rev := put(t, v, alice, "0")
	p := refresher(t, c, s)
	if err := p.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	_, putErr := v.Put(t.Context(), alice, testKey, tokenvault.PutOptions{})
	_, _, refreshErr := v.Refresh(t.Context(), alice, rev, mustNot(t))
	deleteErr := v.Delete(t.Context(), alice, tokenvault.Always)
	_, resetErr := tokenvault.Reset(t.Context(), c, tokenvault.DeleteEverything)
	for _, err := range []error{putErr, refreshErr, deleteErr, resetErr} {
		if !errors.Is(err, tokenvault.ErrBusy) {
			t.Errorf("while the holder is stopped: %v, want ErrBusy", err)
		}
	}
	if e := get(t, v, alice); e.Value.Expose() != "0" {
		t.Errorf("Get: %q, want the old token", e.Value.Expose())
	}
	if err := p.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	p.order("store")
	if got := p.says(); got != "stored" {
		t.Errorf("the holder says %q", got)
	}
	p.ends()
	e, adopted, err := v.Refresh(t.Context(), alice, rev, mustNot(t))
	if err != nil || !adopted || e.Value.Expose() != "1" {
		t.Errorf("after it went on: %q, adopted %v, %v; want the new token", e.Value.Expose(), adopted, err)
	}
	put(t, v, alice, "2")
}
