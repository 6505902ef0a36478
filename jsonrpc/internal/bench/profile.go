package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"
)

// A profile prints where a figure comes from. It is made only for a target that does
// not hold, by doing the same work once more.
type profile func()

// cpuProfile is the profile of what takes time: of f, done for a second.
func cpuProfile(f func()) profile {
	return func() {
		inTemp(func(dir string) {
			file := create(filepath.Join(dir, "profile"))
			if err := pprof.StartCPUProfile(file); err != nil {
				log.Fatal(err)
			}
			for start := time.Now(); time.Since(start) < time.Second; {
				f()
			}
			pprof.StopCPUProfile()
			file.Close()
			top(file.Name())
		})
	}
}

// allocProfile is the profile of what allocates: of all that f does.
func allocProfile(f func()) profile {
	return func() {
		inTemp(func(dir string) {
			rate := runtime.MemProfileRate
			runtime.MemProfileRate = 1
			f()
			runtime.MemProfileRate = rate
			file := create(filepath.Join(dir, "profile"))
			writeHeap(file)
			file.Close()
			top("-sample_index=alloc_objects", file.Name())
		})
	}
}

// testProfile is cpuProfile for a test or benchmark of package jsonrpc.
func testProfile(args ...string) profile {
	return func() {
		inTemp(func(dir string) {
			name := filepath.Join(dir, "profile")
			args := append([]string{"test", "-o", filepath.Join(dir, "jsonrpc.test"), "-cpuprofile", name, "."}, args...)
			if _, err := goTool(args...); err != nil {
				log.Fatal(err)
			}
			top(name)
		})
	}
}

// memProfile prints what a file that writeHeap wrote says: of alloc_space, all that
// was allocated, or of inuse_space, what was still used.
func memProfile(sample, name string) profile {
	return func() { top("-sample_index="+sample, name) }
}

func writeHeap(file *os.File) {
	runtime.GC() // the profile is as of the last one
	if err := pprof.Lookup("heap").WriteTo(file, 0); err != nil {
		log.Fatal(err)
	}
}

// top prints the head of a profile.
func top(args ...string) {
	out, err := exec.Command("go", append([]string{"tool", "pprof", "-top", "-nodecount=15"}, args...)...).Output()
	if err != nil {
		log.Fatalf("pprof: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		fmt.Printf("            | %s", line)
	}
}

func create(name string) *os.File {
	file, err := os.Create(name)
	if err != nil {
		log.Fatal(err)
	}
	return file
}

// inTemp calls f with a directory that is removed afterwards.
func inTemp(f func(dir string)) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	f(dir)
}
