package dir

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// A faulty disk fails at one of its calls, or when so many bytes were written. A dead one
// does nothing from then on, as a machine that has crashed.
type faulty struct {
	steps
	failCall int // -1: none
	failByte int // -1: none
	dies     bool

	calls, bytes int
	failed       string // the call that failed
	dead         bool
	removeFailed bool
}

func (f *faulty) call(name string) error {
	if f.dead {
		return syscall.EIO
	}
	if f.calls++; f.calls-1 == f.failCall {
		return f.fail(name)
	}
	return nil
}

func (f *faulty) fail(name string) error {
	f.failed, f.dead = name, f.dies
	return syscall.EIO
}

func (f *faulty) create(name string) (file, error) {
	if err := f.call("create"); err != nil {
		return nil, err
	}
	inner, err := f.steps.create(name)
	if err != nil {
		return nil, err
	}
	return &faultyFile{inner, f}, nil
}

func (f *faulty) rename(from, to string) error {
	if err := f.call("rename"); err != nil {
		return err
	}
	return f.steps.rename(from, to)
}

func (f *faulty) remove(name string) error {
	if err := f.call("remove"); err != nil {
		f.removeFailed = true
		return err
	}
	return f.steps.remove(name)
}

func (f *faulty) sync() error {
	if err := f.call("sync of the directory"); err != nil {
		return err
	}
	return f.steps.sync()
}

type faultyFile struct {
	inner file
	disk  *faulty
}

// room returns how many of n bytes can be written, and the error after them.
func (f *faultyFile) room(name string, n int) (int, error) {
	if err := f.disk.call(name); err != nil {
		return 0, err
	}
	left := f.disk.failByte - f.disk.bytes
	if f.disk.failByte < 0 || n <= left {
		f.disk.bytes += n
		return n, nil
	}
	f.disk.bytes = f.disk.failByte
	return left, f.disk.fail(name)
}

func (f *faultyFile) Write(p []byte) (int, error) {
	n, err := f.room("write", len(p))
	if done, writeErr := f.inner.Write(p[:n]); writeErr != nil {
		return done, writeErr
	}
	return n, err
}

func (f *faultyFile) WriteAt(p []byte, offset int64) (int, error) {
	n, err := f.room("write", len(p))
	if done, writeErr := f.inner.WriteAt(p[:n], offset); writeErr != nil {
		return done, writeErr
	}
	return n, err
}

func (f *faultyFile) Truncate(size int64) error {
	if err := f.disk.call("truncate"); err != nil {
		return err
	}
	return f.inner.Truncate(size)
}

func (f *faultyFile) Sync() error {
	if err := f.disk.call("sync"); err != nil {
		return err
	}
	return f.inner.Sync()
}

// Close closes the file in any case, as the system does.
func (f *faultyFile) Close() error {
	err := f.disk.call("close")
	if closeErr := f.inner.Close(); err == nil && !errors.Is(closeErr, os.ErrClosed) {
		err = closeErr
	}
	return err
}

const record = "r-aaaaaaaaaaaaaaaaaaaaaaaaaa"

var (
	older = bytes.Repeat([]byte("old"), 20)
	newer = bytes.Repeat([]byte("new!"), 12)
)

// writings are the ways in which a file comes to be.
var writings = []struct {
	name  string
	write func(d *Dir) error
}{
	{"a write", func(d *Dir) error { return d.Write(record, newer) }},
	{"a refresh", func(d *Dir) error {
		room, err := d.Reserve(2 * int64(len(newer)))
		if err != nil {
			return err
		}
		defer room.Drop()
		return room.Commit(record, newer)
	}},
}

// eachFailure runs a way of writing over an old record once for each call and once for each
// byte at which the disk can fail.
func eachFailure(t *testing.T, dies bool, write func(*Dir) error, check func(t *testing.T, d *Dir, f *faulty, err error)) {
	t.Helper()
	run := func(failCall, failByte int) (failed bool) {
		d := newDir(t)
		if err := d.Write(record, older); err != nil {
			t.Fatal(err)
		}
		f := &faulty{steps: d.steps, failCall: failCall, failByte: failByte, dies: dies}
		d.steps = f
		err := write(d)
		d.steps = f.steps
		check(t, d, f, err)
		return f.failed != ""
	}
	calls, bytes := 0, 0
	for run(calls, -1) {
		calls++
	}
	for run(-1, bytes) {
		bytes++
	}
	if calls < 6 || bytes < len(newer) {
		t.Errorf("%d calls and %d bytes failed: that cannot be all", calls, bytes)
	}
}

func temps(t *testing.T, d *Dir) []string {
	t.Helper()
	names, err := d.Names()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(n, tempPrefix) })
}

// A machine that dies at any call, or after any byte, leaves the old record or the
// new one; what else it leaves is swept.
//
// req: V08
func TestThreat16CrashAtAnyStepAndByte(t *testing.T) {
	for _, w := range writings {
		t.Run(w.name, func(t *testing.T) {
			eachFailure(t, true, w.write, func(t *testing.T, d *Dir, f *faulty, err error) {
				t.Helper()
				again, openErr := OpenExisting(d.path)
				if openErr != nil {
					t.Fatal(openErr)
				}
				defer again.Close()
				got, readErr := again.Read(record)
				if readErr != nil || !bytes.Equal(got, older) && !bytes.Equal(got, newer) {
					t.Errorf("dead at %s: %q, %v, want the old record or the new one", f.failed, got, readErr)
				}
				if err == nil && !bytes.Equal(got, newer) {
					t.Errorf("no error, and the record is %q", got)
				}
				if err := again.Sweep(time.Now().Add(2 * time.Hour)); err != nil {
					t.Fatal(err)
				}
				if left := temps(t, again); len(left) > 0 {
					t.Errorf("dead at %s: %q is left after the sweep", f.failed, left)
				}
			})
		})
	}
}

// Each call that fails, and each byte that does not fit, is told, and the file is
// as the error says: the old one with ErrNotWritable, the new one with
// ErrNotPersisted. No temp is left, unless it is the removing that fails.
//
// req: V08
func TestThreat23ErrorAtAnyStepAndByte(t *testing.T) {
	for _, w := range writings {
		t.Run(w.name, func(t *testing.T) {
			eachFailure(t, false, w.write, func(t *testing.T, d *Dir, f *faulty, err error) {
				t.Helper()
				want, sentinel := older, fault.ErrNotWritable
				switch f.failed {
				case "":
					want, sentinel = newer, nil
				case "sync of the directory":
					want, sentinel = newer, fault.ErrNotPersisted
				}
				if !errors.Is(err, sentinel) {
					t.Errorf("%s fails: %v, want %v", f.failed, err, sentinel)
				}
				if got, err := d.Read(record); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s fails: the record is %q, %v, want %q", f.failed, got, err, want)
				}
				if left := temps(t, d); len(left) > 0 && !f.removeFailed {
					t.Errorf("%s fails: %q is left", f.failed, left)
				}
			})
		})
	}
}

// What a removal says is so: the file is there, or gone, or gone and perhaps back.
func TestThreat23RemovalThatFails(t *testing.T) {
	for i, want := range []error{fault.ErrNotWritable, fault.ErrNotPersisted, nil} {
		d := newDir(t)
		if err := d.Write(record, older); err != nil {
			t.Fatal(err)
		}
		d.steps = &faulty{steps: d.steps, failCall: i, failByte: -1}
		if err := d.Remove(record); !errors.Is(err, want) {
			t.Errorf("call %d fails: %v, want %v", i, err, want)
		}
		_, err := d.Read(record)
		if there := err == nil; there != (i == 0) {
			t.Errorf("call %d fails: the file is there: %v", i, there)
		}
	}
}
