package main

import (
	"bufio"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
)

// allocations is the target for what one call allocates, beside a bare POST. Both are
// counted in this process: of the editor, which only writes a line and reads one, nothing
// is in it.
func allocations(dir string) bool {
	s := startServer(kinds[0], dir)
	defer s.stop()
	post := newBare(s).(*bare)
	defer post.stop()
	call, stop := inProcess(s)
	defer stop()
	bare, ours := perCall(func() { post.call(1) }), perCall(call)
	why := func() {
		file := filepath.Join(dir, "allocations")
		runtime.MemProfileRate = 1
		perCall(call)
		writeAllocations(file)
		runtime.MemProfileRate = 0
		note("where the bridge allocates, in %d calls:", perCalls)
		top("-sample_index=alloc_objects", "-show=trestle", "-lines", file)
	}
	return target(ours <= bare+8, why, "T1 a call allocates %.0f times, want 8 more than a bare POST at most, which does %.0f times", ours, bare)
}

// inProcess starts a bridge in this process, and returns what makes one call of it.
func inProcess(s *server) (call, stop func()) {
	in, editor := pipe()
	answers, out := pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := runBridge(s.url, nil, in, out); err != nil {
			log.Fatal(err)
		}
	}()
	lines := bufio.NewReaderSize(answers, 1<<20)
	exchange := func(line []byte) {
		if _, err := editor.Write(line); err != nil {
			log.Fatal(err)
		}
		if _, err := lines.ReadSlice('\n'); err != nil {
			log.Fatal(err)
		}
	}
	exchange([]byte(opening))
	io.WriteString(editor, opened)
	line := editorCall(1)
	return func() { exchange(line) }, func() {
		editor.Close()
		<-ended
	}
}

func pipe() (r, w *os.File) {
	r, w, err := os.Pipe()
	if err != nil {
		log.Fatal(err)
	}
	return r, w
}

const perCalls = 5000

// perCall returns how often all that f sets off allocates.
func perCall(f func()) float64 {
	f()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range perCalls {
		f()
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / perCalls
}

func writeAllocations(name string) {
	file, err := os.Create(name)
	if err != nil {
		log.Fatal(err)
	}
	runtime.GC() // the profile is as of the last one
	if err := pprof.Lookup("allocs").WriteTo(file, 0); err != nil {
		log.Fatal(err)
	}
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}
}
